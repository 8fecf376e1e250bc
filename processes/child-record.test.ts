import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChildRecord, stopLeftovers } from "./child-record.ts";

let folder: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-children-"));
  path = join(folder, "children.json");
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function start(script: string): ChildProcess & { pid: number } {
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  if (child.pid === undefined) throw new Error("no shell");
  return child as ChildProcess & { pid: number };
}

describe("children of an earlier supervisor", () => {
  it("are ended, by force when they do not heed", async () => {
    const heeding = start("echo up; exec sleep 60");
    const deaf = start("trap '' TERM; echo up; while :; do sleep 0.1; done");
    await Promise.all([heeding, deaf].map(async (each) => once(each.stdout ?? each, "data")));
    const record = openChildRecord(path);
    record.note("web", heeding.pid);
    record.note("worker", deaf.pid);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const ends = Promise.all([once(heeding, "exit"), once(deaf, "exit")]);
    const lines: string[] = [];
    await stopLeftovers(path, (line) => lines.push(line), 300);
    expect((await ends).map(([, signal]) => signal as string)).toEqual(["SIGTERM", "SIGKILL"]);
    expect(lines).toEqual([
      `stopping web, left behind by an earlier start (process ${heeding.pid})`,
      `stopping worker, left behind by an earlier start (process ${deaf.pid})`,
    ]);
  });

  it("are not mistaken for a later process with the same number", async () => {
    const stranger = start("exec sleep 60");
    writeFileSync(path, JSON.stringify([{ name: "web", pid: stranger.pid, startTicks: "1" }]));
    await stopLeftovers(path, () => undefined, 100);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  });

  it("that ended are forgotten, and a torn record is none", async () => {
    const record = openChildRecord(path);
    record.note("web", start("exec sleep 60").pid);
    record.note("web", undefined);
    expect(readFileSync(path, "utf8")).toBe("[]");
    writeFileSync(path, '[{"name":');
    await stopLeftovers(path, () => undefined, 100);
  });
});
