import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { walkCgroups } from "./cgroup-walk.ts";

const ID = "ab".repeat(32);
let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "cgroup-walk-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function makeCgroup(name: string, files: number): string {
  const directory = path.join(root, name);
  mkdirSync(directory, { recursive: true });
  for (let index = 0; index < files; index += 1) writeFileSync(path.join(directory, `control-${index}`), "");
  return directory;
}

describe("walkCgroups", () => {
  it("counts directories with the root, containers, and the files of the fullest cgroup", () => {
    writeFileSync(path.join(root, "cgroup.procs"), "");
    writeFileSync(path.join(root, "release_agent"), "");
    makeCgroup("kubepods", 5);
    makeCgroup("kubepods/pod1", 5);
    const container = makeCgroup(`kubepods/pod1/${ID}`, 6);
    makeCgroup(`kubepods/pod1/crio-conmon-${ID}`, 5);
    makeCgroup("system.slice", 5);

    const walk = walkCgroups(root);
    expect(walk).toMatchObject({
      live: 6,
      containers: 1,
      rootFiles: 2,
      filesPerCgroup: 6,
      denied: 0,
      rootInode: statSync(root).ino,
    });
    expect(walk.inodes).toHaveLength(6);
    expect(walk.inodes).toContain(statSync(container).ino);
    expect(walk.costMs).toBeGreaterThan(0);
  });

  it("finds a lone root", () => {
    expect(walkCgroups(root)).toMatchObject({ live: 1, containers: 0, filesPerCgroup: undefined });
  });

  it("throws when there is no root", () => {
    expect(() => walkCgroups(path.join(root, "none"))).toThrow(/ENOENT/);
  });
});
