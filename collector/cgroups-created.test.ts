import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CgroupWalk } from "./cgroup-walk.ts";
import { advanceCreated, parseCreatedState, readCreated, type CreatedState } from "./cgroups-created.ts";

const PLACE = { bootId: "boot-1", hierarchy: "/sys/fs/cgroup/memory" };
const FILES = 31;
const STEP = FILES + 1;
const ROOT_FILES = 34;

function walkOf(inodes: number[], overrides: Partial<CgroupWalk> = {}): CgroupWalk {
  return {
    live: inodes.length + 1,
    containers: 0,
    containerDirectories: [],
    inodes: [1, ...inodes],
    rootInode: 1,
    rootFiles: ROOT_FILES,
    filesPerCgroup: FILES,
    newDirectories: 0,
    newLeaves: [],
    denied: 0,
    costMs: 1,
    ...overrides,
  };
}

/** A kernel that numbers upwards, as kernfs has done since 4.14. */
function createKernel(start = 1 + ROOT_FILES + 1, turnsVisible = false) {
  let next = start;
  const wheel = 2 ** 31;
  return {
    mkdir(): number {
      const turn = Math.floor(next / wheel);
      const inode = (next % wheel) + (turnsVisible ? turn * 2 ** 32 : 0);
      next += STEP;
      return inode;
    },
  };
}

function follow(walks: CgroupWalk[], release = "6.1.0"): (number | string)[] {
  let state: CreatedState | undefined;
  let known: ReadonlySet<number> = new Set();
  return walks.map((walk) => {
    state = advanceCreated(state, walk, PLACE, known);
    known = new Set(walk.inodes);
    if (state === undefined) return "nothing yet";
    const count = readCreated(state, walk, release);
    return "created" in count ? count.created : count.reason;
  });
}

describe("counting created cgroups", () => {
  it("counts since boot at the first look, and those that came and went between two looks", () => {
    const kernel = createKernel();
    const first = [kernel.mkdir(), kernel.mkdir(), kernel.mkdir()];
    for (let index = 0; index < 100; index += 1) kernel.mkdir();
    const later = kernel.mkdir();
    expect(follow([walkOf(first), walkOf([...first, later])])).toEqual([3, 104]);
  });

  it("is a lower bound that catches up when a newer directory shows", () => {
    const kernel = createKernel();
    const stays = kernel.mkdir();
    for (let index = 0; index < 50; index += 1) kernel.mkdir();
    const missed = walkOf([stays]);
    expect(follow([walkOf([stays]), missed, walkOf([stays, kernel.mkdir()])])).toEqual([1, 1, 52]);
  });

  it("goes on over the end of the wheel where turns are not visible", () => {
    const kernel = createKernel(2 ** 31 - 10 * STEP);
    const before = [kernel.mkdir()];
    for (let index = 0; index < 30; index += 1) kernel.mkdir();
    const after = [...before, kernel.mkdir()];
    const counts = follow([walkOf(before), walkOf(after), walkOf([...after, kernel.mkdir()])]);
    const [first, second, third] = counts as [number, number, number];
    expect(second - first).toBe(31);
    expect(third - second).toBe(1);
  });

  it("goes on over the end of the wheel where turns are visible", () => {
    const kernel = createKernel(2 ** 31 - 10 * STEP, true);
    const before = [kernel.mkdir()];
    for (let index = 0; index < 30; index += 1) kernel.mkdir();
    const counts = follow([walkOf(before), walkOf([...before, kernel.mkdir()])]) as [number, number];
    expect(counts[1] - counts[0]).toBe(31);
  });

  it("says nothing when freed numbers are given out again", () => {
    // As before 4.14: the lowest free number is taken.
    const old = walkOf([100, 200, 3000]);
    const reused = walkOf([101, 102, 103, 3000]);
    expect(follow([old, old, reused], "4.9.0")).toEqual([
      expect.stringContaining("not yet seen"),
      expect.stringContaining("not yet seen"),
      expect.stringContaining("freed inode numbers"),
    ]);
    expect(follow([old, old, reused], "4.18.0").at(-1)).toContain("freed inode numbers");
  });

  it("believes an old release once it saw it count upwards past free numbers", () => {
    expect(follow([walkOf([5000]), walkOf([5000, 5000 + 10 * STEP])], "4.9.0").at(-1)).toEqual(
      expect.any(Number),
    );
  });

  it("says nothing where the root is not that of a kernfs", () => {
    expect(follow([walkOf([500, 600], { rootInode: 7781, inodes: [7781, 500, 600] })])).toEqual([
      expect.stringContaining("no kernfs"),
    ]);
  });

  it("waits for the first cgroup below the root", () => {
    expect(follow([walkOf([], { filesPerCgroup: undefined })])).toEqual(["nothing yet"]);
  });

  it("goes on after a restart of the collector in the same boot, and starts anew in another", () => {
    const kernel = createKernel();
    const stays = kernel.mkdir();
    for (let index = 0; index < 500; index += 1) kernel.mkdir();
    const newest = kernel.mkdir();
    const before = advanceCreated(undefined, walkOf([stays, newest]), PLACE, new Set());
    const kept = parseCreatedState(JSON.stringify(before));
    // The newest is gone meanwhile: without the state the count would fall to 1.
    const after = advanceCreated(kept, walkOf([stays]), PLACE, new Set());
    expect(after?.created).toBe(502);
    expect(advanceCreated(kept, walkOf([stays]), { ...PLACE, bootId: "boot-2" }, new Set())?.created).toBe(1);
  });

  it("never falls within a boot, whatever is seen", () => {
    const walks = fc.array(fc.array(fc.integer({ min: 2, max: 2 ** 31 - 1 }), { maxLength: 8 }), {
      minLength: 2,
    });
    fc.assert(
      fc.property(walks, (all) => {
        let state: CreatedState | undefined;
        let known: ReadonlySet<number> = new Set();
        let last = 0;
        for (const inodes of all) {
          const walk = walkOf(inodes);
          state = advanceCreated(state, walk, PLACE, known);
          known = new Set(walk.inodes);
          const created = state?.created ?? Number.NaN;
          expect(created).toBeGreaterThanOrEqual(last);
          expect(Number.isSafeInteger(created)).toBe(true);
          last = created;
        }
      }),
    );
  });
});

describe("parseCreatedState", () => {
  it.each(["", "{", "null", "[]", '{"bootId":"x"}', '{"bootId":1}'])("starts anew on %s", (text) => {
    expect(parseCreatedState(text)).toBeUndefined();
  });
});
