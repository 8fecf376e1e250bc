import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { snapshotSchema, type Snapshot } from "#lib/domain/snapshot/schema.ts";
import { leaveExitFiles, type ExitFilesOptions } from "./exit-files.ts";
import { countEntries, DEFAULT_RUN_DIRECTORY, locateLab, setUpLab, tearDownLab } from "./lab.ts";
import { CannotRun, countDyingCgroups, findMemoryHierarchy } from "./machine.ts";

const REPOSITORY = path.join(import.meta.dirname, "..");
const COUNT = 200;
const runDirectory = `${DEFAULT_RUN_DIRECTORY}-test-${process.pid}`;
const hierarchy = findMemoryHierarchy(readFileSync("/proc/self/mounts", "utf8"));
const capable = process.getuid?.() === 0 && hierarchy !== undefined;

function options(overrides: Partial<ExitFilesOptions> = {}): ExitFilesOptions {
  return {
    rates: [200],
    turnMs: 300_000,
    count: COUNT,
    liveSeconds: 0,
    durationMs: undefined,
    holdMs: 0,
    keep: true,
    mostMib: 512,
    report: () => undefined,
    stop: new AbortController().signal,
    ...overrides,
  };
}

afterEach(async () => {
  if (capable) await tearDownLab(locateLab(runDirectory));
});

/** The kernel releases cgroups some moments after the last page is gone. */
async function settledDying(most: number): Promise<number> {
  const lab = locateLab(runDirectory);
  await expect.poll(() => countDyingCgroups(lab.hierarchy), { timeout: 10_000 }).toBeLessThanOrEqual(most);
  return countDyingCgroups(lab.hierarchy) ?? Number.NaN;
}

describe("leaveExitFiles", () => {
  it(
    "leaves 200 dying memory cgroups behind, and cleaning takes them back",
    { timeout: 60_000 },
    async () => {
      if (!capable) {
        console.log(
          `NOT RUN FOR REAL: needs root (uid ${process.getuid?.()}) and a memory controller (${hierarchy?.mode ?? "none"}); checked the refusal instead`,
        );
        await expect(async () => leaveExitFiles(locateLab(runDirectory), options())).rejects.toThrow(
          /needs root|no memory controller/,
        );
        return;
      }
      const lab = locateLab(runDirectory);
      const result = await leaveExitFiles(lab, options());
      expect(result).toMatchObject({ started: 200, failed: 0 });
      expect(countEntries(lab.exits)).toBe(200);

      const before = result.dyingBefore ?? Number.NaN;
      const leaked = (result.dyingAfter ?? Number.NaN) - before;
      expect(leaked).toBeGreaterThanOrEqual(190);
      expect(leaked).toBeLessThanOrEqual(230);

      const removed = await tearDownLab(lab);
      expect(removed).toEqual({ exitFiles: 200, cgroups: 0 });
      expect(await settledDying(before + COUNT / 2)).toBeLessThan(before + COUNT);
      expect(existsSync(lab.cgroup)).toBe(false);
      expect(existsSync(lab.runDirectory)).toBe(false);
    },
  );

  it("ends in order when it is stopped, and cleans up without --keep", { timeout: 60_000 }, async () => {
    if (!capable) return expect(capable).toBe(false);
    const lab = locateLab(runDirectory);
    const controller = new AbortController();
    const stopping = setTimeout(() => controller.abort(), 700);
    const result = await leaveExitFiles(
      lab,
      options({ rates: [20], count: 5000, liveSeconds: 0.2, keep: false, stop: controller.signal }),
    );
    clearTimeout(stopping);
    expect(result.failed).toBe(0);
    expect(result.started).toBeGreaterThan(3);
    expect(result.started).toBeLessThan(60);
    expect(existsSync(lab.cgroup)).toBe(false);
    expect(existsSync(lab.runDirectory)).toBe(false);
  });

  it("takes one rate after the other", { timeout: 60_000 }, async () => {
    if (!capable) return expect(capable).toBe(false);
    const turns = { rates: [200, 0.001], turnMs: 300, durationMs: 2000 } as const;
    const result = await leaveExitFiles(
      locateLab(runDirectory),
      options({ ...turns, count: 5000, keep: false }),
    );
    // 60 of the first turn; at its rate all along there would be 400.
    expect(result.started).toBeGreaterThan(3);
    expect(result.started).toBeLessThan(120);
  });

  it("does not start on top of an earlier run", async () => {
    if (!capable) return expect(capable).toBe(false);
    const lab = locateLab(runDirectory);
    setUpLab(lab, 8);
    await expect(leaveExitFiles(lab, options())).rejects.toThrow(/leaklab -- clean/);
    await tearDownLab(lab);
    expect(existsSync(lab.cgroup)).toBe(false);
  });

  it("refuses what would not fit the memory bound, before it makes anything", async () => {
    if (!capable) return expect(capable).toBe(false);
    const lab = locateLab(runDirectory);
    await expect(leaveExitFiles(lab, options({ count: 1_000_000 }))).rejects.toThrow(
      /more than the bound of 512 MiB; at most \d+ fit/,
    );
    expect(existsSync(lab.runDirectory)).toBe(false);
  });
});

describe("a collector beside the lab", () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(path.join(os.tmpdir(), "leaklab-"));
    const bundler = path.join(REPOSITORY, "scripts/bundle-collector.mjs");
    execFileSync(process.execPath, [bundler, path.join(home, "collector.mjs")]);
  });
  afterAll(() => rmSync(home, { recursive: true }));

  function look(watch: string): Snapshot {
    const args = [path.join(home, "collector.mjs"), "print", "--watch", watch];
    return snapshotSchema.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
  }

  it("sees a real leak appear and go", { timeout: 60_000 }, async () => {
    if (!capable) {
      console.log(
        `NOT RUN FOR REAL: needs root and a memory controller; checked that the node is readable instead`,
      );
      expect(look("/nonexistent").sources).toMatchObject({ "watch:/nonexistent": { status: "absent" } });
      return;
    }
    const lab = locateLab(runDirectory);
    const before = look(lab.exits);
    expect(before.sources?.[`watch:${lab.exits}`]?.status).toBe("absent");

    await leaveExitFiles(lab, options());
    const alive = path.join(lab.cgroup, "c0ffee00".repeat(8));
    mkdirSync(alive);
    const during = look(lab.exits);
    rmdirSync(alive);

    expect(during.watch).toContainEqual({ path: lab.exits, files: COUNT });
    expect(during.tmpfs?.find(({ mount }) => mount === lab.exits)).toMatchObject({
      usedKib: COUNT * 4,
      inodesUsed: COUNT + 1,
    });
    const dying = (snapshot: Snapshot) => snapshot.cgroups?.dying ?? Number.NaN;
    expect(dying(during) - dying(before)).toBeGreaterThanOrEqual(COUNT - 10);
    expect(dying(during) - dying(before)).toBeLessThanOrEqual(COUNT * 2);
    expect(during.containersLive).toBeGreaterThan(0);
    const started = (snapshot: Snapshot) => snapshot.containersStarted ?? Number.NaN;
    expect(started(during) - started(before)).toBeGreaterThanOrEqual(COUNT);

    await tearDownLab(lab);
    await expect
      .poll(() => dying(look(lab.exits)) - dying(before), { timeout: 15_000, interval: 300 })
      .toBeLessThan(COUNT / 2);
  });
});

describe("locateLab", () => {
  it("refuses a directory whose name is not the lab's", () => {
    expect(() => locateLab("/var/lib")).toThrow(CannotRun);
    expect(() => locateLab("plumbline-leaklab")).toThrow(CannotRun);
  });
});

describe("findMemoryHierarchy", () => {
  const none = () => "";
  it("takes the v1 mount that carries the memory controller", () => {
    const mounts = [
      "tmpfs /sys/fs/cgroup tmpfs rw 0 0",
      "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0",
      "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0",
      "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0",
    ].join("\n");
    expect(findMemoryHierarchy(mounts, none)).toEqual({ mode: "v1", root: "/sys/fs/cgroup/memory" });
  });

  it("takes the unified hierarchy when it offers memory, and nothing otherwise", () => {
    const mounts = "cgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0\n";
    expect(findMemoryHierarchy(mounts, () => "cpuset cpu io memory pids\n")).toEqual({
      mode: "v2",
      root: "/sys/fs/cgroup",
    });
    expect(findMemoryHierarchy(mounts, () => "hugetlb\n")).toBeUndefined();
    expect(findMemoryHierarchy("", none)).toBeUndefined();
  });
});
