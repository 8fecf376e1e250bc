import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSpool, SpoolInUse, type Spool } from "./spool.ts";

let directory: string;
let messages: string[];
const opened: Spool[] = [];
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), "spool-"));
  messages = [];
});
afterEach(() => {
  for (const spool of opened.splice(0)) spool.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(mostBytes = 1024 * 1024): Spool {
  const spool = openSpool({ directory, mostBytes, log: (_level, message) => messages.push(message) });
  opened.push(spool);
  return spool;
}

function close(spool: Spool): void {
  opened.splice(opened.indexOf(spool), 1);
  spool.close();
}

const line = (index: number, size = 0) => JSON.stringify({ index, fill: "x".repeat(size) });
const segments = () =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".ndjson"))
    .sort();

/** Takes and confirms everything that may be taken at a time. */
function drain(spool: Spool, nowMs = 0): string[] {
  const lines: string[] = [];
  for (let batch = spool.take(nowMs); batch !== undefined; batch = spool.take(nowMs)) {
    lines.push(...batch.lines);
    spool.settle(batch, [], 0);
  }
  return lines;
}

describe("openSpool", () => {
  it.each(["/proc/x", "/proc/x/y"])("says that %s is no place for it", (place) => {
    expect(() => openSpool({ directory: place, mostBytes: 1024, log: () => undefined })).toThrow(
      `the spool ${place} cannot be used, name another with --spool: ENOENT`,
    );
  });

  it("makes the directories on the way", () => {
    directory = path.join(directory, "a/b");
    open().append(line(1));
    expect(segments()).toHaveLength(1);
  });

  it("gives lines out in order and forgets what was settled", () => {
    const spool = open();
    for (let index = 0; index < 5; index += 1) spool.append(line(index));
    expect(drain(spool)).toEqual([0, 1, 2, 3, 4].map((index) => line(index)));
    expect(spool.state()).toEqual({ bytes: 0, droppedSnapshots: 0 });
    expect(segments()).toEqual([]);
    expect(spool.take(0)).toBeUndefined();
  });

  it("keeps a batch until it is settled, while new lines arrive behind it", () => {
    const spool = open();
    spool.append(line(1));
    const batch = spool.take(0);
    spool.append(line(2));
    if (batch === undefined) throw new Error("expected a batch");
    spool.settle(batch, batch.lines, 0);
    expect(drain(spool)).toEqual([line(1), line(2)]);
  });

  it("takes up what an earlier run left", () => {
    const spool = open();
    spool.append(line(1));
    spool.append(line(2));
    close(spool);
    const later = open();
    later.append(line(3));
    expect(drain(later)).toEqual([line(1), line(2), line(3)]);
  });

  it("loses only the torn line of a crash, and says so", () => {
    const spool = open();
    spool.append(line(1));
    spool.append(line(2));
    close(spool);
    const [file] = segments();
    appendFileSync(path.join(directory, file ?? ""), '{"index":3,"fi');
    const later = open();
    expect(drain(later)).toEqual([line(1), line(2)]);
    expect(later.state().droppedSnapshots).toBe(1);
    expect(messages).toEqual(["damaged snapshots in the spool were given up"]);
  });

  it("gives up the oldest when it is full, and counts them", () => {
    const spool = open(8000);
    for (let index = 0; index < 100; index += 1) spool.append(line(index, 200));
    expect(spool.state().bytes).toBeLessThanOrEqual(8000);
    const kept = drain(spool);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => line(100 - kept.length + at, 200)));
    expect(spool.state().droppedSnapshots).toBe(100 - kept.length);
  });

  it("never gives up the batch that is being sent", () => {
    const spool = open(4000);
    spool.append(line(0, 200));
    const batch = spool.take(0);
    if (batch === undefined) throw new Error("expected a batch");
    for (let index = 1; index < 60; index += 1) spool.append(line(index, 200));
    spool.settle(batch, batch.lines, 0);
    expect(spool.take(0)?.lines).toEqual([line(0, 200)]);
  });

  it("holds back what is to be tried later and goes on with the rest", () => {
    const spool = open();
    spool.append(line(1));
    spool.append(line(2));
    const batch = spool.take(1000);
    if (batch === undefined) throw new Error("expected a batch");
    spool.settle(batch, [line(2)], 61_000);
    spool.append(line(3));
    expect(drain(spool, 1000)).toEqual([line(3)]);
    expect(spool.take(60_999)).toBeUndefined();
    expect(drain(spool, 61_000)).toEqual([line(2)]);
  });

  it("refuses a directory that a living collector uses, and takes over that of a dead one", () => {
    const spool = open();
    expect(() => open()).toThrow(SpoolInUse);
    close(spool);
    writeFileSync(path.join(directory, "lock"), "999999999 12345");
    expect(() => open()).not.toThrow();
  });

  it("keeps snapshots in memory while the disk refuses them, and writes them down later", () => {
    const spool = open();
    const away = `${directory}-away`;
    renameSync(directory, away);
    spool.append(line(1));
    spool.append(line(2));
    expect(messages).toEqual(["spool cannot be written; keeping snapshots in memory"]);
    expect(spool.state().bytes).toBeGreaterThan(0);
    const batch = spool.take(0);
    expect(batch?.lines).toEqual([line(1), line(2)]);
    if (batch !== undefined) spool.settle(batch, [line(2)], 0);
    renameSync(away, directory);
    spool.append(line(3));
    expect(drain(spool)).toEqual([line(2), line(3)]);
    expect(messages.at(-1)).toBe("spool can be written again");
  });

  it("bounds what it keeps in memory", () => {
    const spool = open();
    const away = `${directory}-away`;
    renameSync(directory, away);
    for (let index = 0; index < 300; index += 1) spool.append(line(index));
    const kept = spool.take(0)?.lines ?? [];
    expect(kept.at(-1)).toBe(line(299));
    expect(kept.length + spool.state().droppedSnapshots).toBe(300);
    renameSync(away, directory);
  });

  it("keeps its files from other users", () => {
    chmodSync(directory, 0o755);
    const spool = open();
    spool.append(line(1));
    const [file] = segments();
    expect(readFileSync(path.join(directory, file ?? ""), "utf8")).toBe(`${line(1)}\n`);
    expect(existsSync(path.join(directory, "lock"))).toBe(true);
  });

  it("loses and invents nothing inside its bound, whatever the order of steps", () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant("append" as const) },
      { weight: 2, arbitrary: fc.constant("send" as const) },
      { weight: 1, arbitrary: fc.constant("fail" as const) },
      { weight: 1, arbitrary: fc.constant("half" as const) },
      { weight: 1, arbitrary: fc.constant("restart" as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        rmSync(directory, { recursive: true, force: true });
        let spool = open();
        let next = 0;
        const delivered: string[] = [];
        for (const each of steps) {
          if (each === "append") spool.append(line(next++));
          else if (each === "restart") {
            close(spool);
            spool = open();
          } else {
            const batch = spool.take(0);
            if (batch === undefined) continue;
            const middle = each === "send" ? batch.lines.length : each === "half" ? 1 : 0;
            delivered.push(...batch.lines.slice(0, middle));
            spool.settle(batch, batch.lines.slice(middle), 0);
          }
        }
        delivered.push(...drain(spool));
        close(spool);
        expect(delivered.sort()).toEqual(Array.from({ length: next }, (_, index) => line(index)).sort());
      }),
      { numRuns: 30 },
    );
  });
});
