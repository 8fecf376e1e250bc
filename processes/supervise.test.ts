import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { backoffMs, superviseChild, type SupervisedChild } from "./supervise.ts";

const backoff = { firstMs: 10, longestMs: 40, calmMs: 60_000 };
let running: SupervisedChild | undefined;

afterEach(async () => {
  await running?.stop(1_000);
  running = undefined;
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !condition(); tries += 1) await delay(10);
  expect(condition()).toBe(true);
}

function supervise(script: string, lines: string[]): SupervisedChild {
  running = superviseChild({
    name: "child",
    command: () => ({ file: process.execPath, args: ["-e", script], env: process.env }),
    log: (line) => lines.push(line),
    backoff,
  });
  return running;
}

describe("a supervised child", () => {
  it("starts again after kill -9, and says so", async () => {
    const lines: string[] = [];
    const child = supervise("console.log('up'); setInterval(() => {}, 1000)", lines);
    await until(() => lines.includes("up"));
    const first = child.pid();
    process.kill(first ?? 0, "SIGKILL");
    await until(() => lines.filter((line) => line === "up").length === 2);
    expect(child.pid()).not.toBe(first);
    expect(lines).toContain("ended (SIGKILL), starting again in 0.01 s");
  });

  it("waits longer each time one does not last", async () => {
    const lines: string[] = [];
    supervise("process.exit(3)", lines);
    await until(() => lines.length >= 4);
    expect(lines.slice(0, 4).map((line) => / in (\S+) s$/.exec(line)?.[1])).toEqual([
      "0.01",
      "0.02",
      "0.04",
      "0.04",
    ]);
  });

  it("says when the program cannot be started at all", async () => {
    const lines: string[] = [];
    running = superviseChild({
      name: "child",
      command: () => ({ file: "/nonexistent/program", args: [], env: {} as NodeJS.ProcessEnv }),
      log: (line) => lines.push(line),
      backoff,
    });
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(/ENOENT/);
  });

  it("is killed when it does not heed the request to stop", async () => {
    const lines: string[] = [];
    const child = supervise(
      "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)",
      lines,
    );
    await until(() => lines.includes("up"));
    await child.stop(100);
    expect(child.pid()).toBeUndefined();
    expect(lines).toContain("did not stop within 0.1 s, killed");
  });

  it("starts again at once when asked, with a fresh command", async () => {
    const lines: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), "plumbline-child-"));
    let round = 0;
    running = superviseChild({
      name: "child",
      command: () => ({
        file: process.execPath,
        args: [
          "-e",
          `require("fs").appendFileSync("${folder}/rounds", "${(round += 1)}"); setInterval(() => {}, 1000)`,
        ],
        env: process.env,
      }),
      log: (line) => lines.push(line),
    });
    const rounds = () => {
      try {
        return readFileSync(join(folder, "rounds"), "utf8");
      } catch {
        return "";
      }
    };
    await until(() => rounds() === "1");
    running.restart();
    await until(() => rounds() === "12");
    expect(lines).toEqual(["starting again"]);
    rmSync(folder, { recursive: true });
  });

  it("never waits beyond the longest", () => {
    expect(backoffMs(1_000, { firstMs: 250, longestMs: 30_000 })).toBe(30_000);
    expect(backoffMs(0, { firstMs: 250, longestMs: 30_000 })).toBe(250);
  });
});
