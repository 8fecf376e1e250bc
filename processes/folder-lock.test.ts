import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireFolderLock, isRunning, processStartTicks } from "./folder-lock.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-lock-"));
  path = join(folder, "lock");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("a folder lock", () => {
  it("is held once, tells the second who holds it, and is free after release", () => {
    const first = acquireFolderLock(path);
    if (!("lock" in first)) throw new Error("not acquired");
    first.lock.setNote("http://127.0.0.1:4400");
    const second = acquireFolderLock(path);
    expect(second).toEqual({
      heldBy: { pid: process.pid, startTicks: processStartTicks(process.pid), note: "http://127.0.0.1:4400" },
    });
    first.lock.release();
    expect(existsSync(path)).toBe(false);
    expect("lock" in acquireFolderLock(path)).toBe(true);
  });

  it("is taken over from a dead process, from a reused pid, and from a torn file", async () => {
    const child = spawn("true");
    await once(child, "exit");
    for (const left of [
      JSON.stringify({ pid: child.pid, startTicks: "1" }),
      JSON.stringify({ pid: process.pid, startTicks: "1" }),
      '{"pid":',
      "",
    ]) {
      writeFileSync(path, left);
      const taken = acquireFolderLock(path);
      if (!("lock" in taken)) throw new Error(`not taken over: ${left}`);
      taken.lock.release();
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("goes to exactly one of many starters that find a stale one", async () => {
    writeFileSync(path, JSON.stringify({ pid: 4_000_000, startTicks: "1" }));
    const module = JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href);
    const script = `import { acquireFolderLock } from ${module};
      const got = acquireFolderLock(${JSON.stringify(path)});
      console.log("lock" in got ? "held" : "refused");
      setTimeout(() => {}, 3000);`;
    const starters = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    const said = await Promise.all(
      starters.map(async (each) => ((await once(each.stdout, "data")) as [Buffer])[0].toString().trim()),
    );
    for (const each of starters) each.kill();
    expect(said.filter((word) => word === "held")).toHaveLength(1);
  });

  it("sees a process end", async () => {
    const child = spawn("sleep", ["30"]);
    const holder = { pid: child.pid ?? 0, startTicks: processStartTicks(child.pid ?? 0) };
    expect(isRunning(holder)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isRunning(holder)).toBe(false);
  });
});
