import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "./post-batch.ts";
import { backoffMs, createSender } from "./send.ts";
import { openSpool, type Spool } from "./spool.ts";

let directory: string;
let spool: Spool;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), "send-"));
  spool = openSpool({ directory, mostBytes: 1024 * 1024, log: () => undefined });
});
afterEach(() => {
  spool.close();
  rmSync(directory, { recursive: true });
});

type Post = (lines: readonly string[], token: string | undefined) => Answer | Error;

function createHarness(post: Post, tokens: (string | undefined)[] = ["t1"]) {
  const clock = { ms: 1_000_000 };
  const posted: { lines: string[]; token: string | undefined }[] = [];
  const messages: string[] = [];
  const sender = createSender({
    spool,
    now: () => clock.ms,
    random: () => 0.5,
    log: (_level, message) => messages.push(message),
    readToken: () => (tokens.length > 1 ? tokens.shift() : tokens[0]),
    post: async (lines, token) => {
      posted.push({ lines: [...lines], token });
      const answer = post(lines, token);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { sender, clock, posted, messages };
}

const ok = (
  lines: readonly string[],
  rejected: { index: number; code: string; detail: string }[] = [],
): Answer => ({
  status: 200,
  retryAfter: undefined,
  body: JSON.stringify({ accepted: lines.length - rejected.length, duplicates: 0, rejected }),
});
const status = (code: number, retryAfter?: string): Answer => ({ status: code, retryAfter, body: "" });
const waiting = () => spool.take(Number.MAX_SAFE_INTEGER)?.lines;

describe("createSender", () => {
  it("empties the spool, and does nothing when it is empty", async () => {
    const { sender, posted } = createHarness((lines) => ok(lines));
    await sender.push();
    expect(posted).toEqual([]);
    spool.append('"a"');
    spool.append('"b"');
    await sender.push();
    expect(posted).toEqual([{ lines: ['"a"', '"b"'], token: "t1" }]);
    expect(waiting()).toBeUndefined();
  });

  it("backs off at an outage, says so once, and delivers everything afterwards", async () => {
    let down = true;
    const harness = createHarness((lines) => (down ? new Error("ECONNREFUSED") : ok(lines)));
    const { sender, clock, posted, messages } = harness;
    for (let index = 0; index < 20; index += 1) {
      spool.append(JSON.stringify(index));
      await sender.push();
      clock.ms += 1000;
    }
    // Delays of 1, 2, 4 and 8 s: half of 2, 4, 8 and 16.
    expect(posted).toHaveLength(5);
    expect(messages).toEqual(["server cannot be reached; keeping snapshots"]);
    down = false;
    clock.ms += 300_000;
    posted.length = 0;
    await sender.push();
    expect(posted.flatMap(({ lines }) => lines)).toEqual(
      Array.from({ length: 20 }, (_, index) => `${index}`),
    );
    expect(messages.at(-1)).toBe("server takes snapshots again");
  });

  it("waits at least as long as Retry-After asks, with jitter on top", async () => {
    const { sender, clock, posted } = createHarness(() => status(503, "60"));
    spool.append("1");
    const { notBeforeMs } = await sender.push();
    expect(notBeforeMs).toBeGreaterThanOrEqual(clock.ms + 60_000);
    expect(notBeforeMs).toBeLessThan(clock.ms + 120_000);
    clock.ms += 59_000;
    await sender.push();
    expect(posted).toHaveLength(1);
    await sender.push({ evenIfWaiting: true });
    expect(posted).toHaveLength(2);
  });

  it("drops and counts what is refused for good, keeps what is ahead of its time, and goes on", async () => {
    let ahead = true;
    const { sender, clock } = createHarness((lines) =>
      ok(
        lines,
        lines.flatMap((line, index) => {
          if (line === '"bad"') return [{ index, code: "invalid", detail: "cpus" }];
          if (line === '"future"' && ahead) return [{ index, code: "clock_ahead", detail: "9 min" }];
          return [];
        }),
      ),
    );
    spool.append('"bad"');
    spool.append('"future"');
    spool.append('"good"');
    await sender.push();
    expect(sender.refusedSnapshots()).toBe(1);
    expect(spool.take(clock.ms)).toBeUndefined();
    ahead = false;
    clock.ms += 61_000;
    await sender.push();
    expect(waiting()).toBeUndefined();
  });

  it("splits what is too large until it fits, and gives up only what never does", async () => {
    const delivered: string[] = [];
    const { sender } = createHarness((lines) => {
      if (lines.length > 2 || lines.includes('"huge"')) return status(413);
      delivered.push(...lines);
      return ok(lines);
    });
    const all = ['"a"', '"b"', '"huge"', '"c"', '"d"', '"e"', '"f"'];
    for (const line of all) spool.append(line);
    await sender.push();
    expect(delivered).toEqual(all.filter((line) => line !== '"huge"'));
    expect(sender.refusedSnapshots()).toBe(1);
  });

  it("keeps what was not sent when the server fails between the halves", async () => {
    let calls = 0;
    const { sender } = createHarness((lines) => {
      calls += 1;
      if (calls === 1) return status(413);
      return calls === 2 ? ok(lines) : status(500);
    });
    for (const line of ["1", "2", "3", "4"]) spool.append(line);
    await sender.push();
    expect(waiting()).toEqual(["3", "4"]);
  });

  it("reads the token again at 401 and tries once more with a new one", async () => {
    const { sender, posted, messages } = createHarness(
      (lines, token) => (token === "new" ? ok(lines) : status(401)),
      ["old", "new"],
    );
    spool.append("1");
    await sender.push();
    expect(posted.map(({ token }) => token)).toEqual(["old", "new"]);
    expect(waiting()).toBeUndefined();
    expect(messages).toContain("token was replaced; trying again");
  });

  it.each([401, 403])("keeps everything at %i and says so once", async (code) => {
    const { sender, clock, messages } = createHarness(() => status(code));
    spool.append("1");
    for (let index = 0; index < 5; index += 1) {
      await sender.push();
      clock.ms += 600_000;
    }
    expect(messages).toEqual([`server does not take this token (${code}); keeping snapshots`]);
    expect(waiting()).toEqual(["1"]);
  });
});

describe("backoffMs", () => {
  it("grows to five minutes and is spread over the whole span", () => {
    expect([0, 1, 2, 7, 8, 50].map((failures) => backoffMs(failures, () => 1))).toEqual([
      2000, 4000, 8000, 256_000, 300_000, 300_000,
    ]);
    expect(backoffMs(5, () => 0)).toBe(0);
  });
});
