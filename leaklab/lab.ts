import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CannotRun, findMemoryHierarchy, type MemoryHierarchy } from "./machine.ts";
import { noteOwner, readOwner } from "./owner.ts";

/** The name of everything the lab makes; nothing else on the machine is touched. */
export const LAB_NAME = "plumbline-leaklab";
/** Where a run keeps its tmpfs and its note of who is running. */
export const DEFAULT_RUN_DIRECTORY = `/run/${LAB_NAME}`;

/** A lab that stands: its own parent cgroup and its own tmpfs. */
export interface Lab {
  readonly hierarchy: MemoryHierarchy;
  /** Parent of all containers, below the root of the memory controller. */
  readonly cgroup: string;
  /** The tmpfs the containers leave their files on, as a runtime does below /run. */
  readonly exits: string;
  readonly runDirectory: string;
}

const MOUNTS = "/proc/self/mounts";

/**
 * Names the lab's places without making anything; the parent cgroup is called like the run directory, so that labs in
 * different directories do not meet. Throws `CannotRun` when the machine has no memory controller.
 */
export function locateLab(runDirectory: string): Lab {
  const name = path.basename(runDirectory);
  if (!name.startsWith(LAB_NAME) || !path.isAbsolute(runDirectory)) {
    throw new CannotRun(
      `${runDirectory}: the run directory must be absolute and its last part begin with ${LAB_NAME}, because everything below it and in the cgroup of that name is removed at the end`,
    );
  }
  const hierarchy = findMemoryHierarchy(readFileSync(MOUNTS, "utf8"));
  if (hierarchy === undefined) {
    throw new CannotRun(
      "this machine has no memory controller: neither a cgroup v1 mount with `memory` nor a cgroup2 mount whose cgroup.controllers names it",
    );
  }
  return {
    hierarchy,
    cgroup: path.join(hierarchy.root, name),
    exits: path.join(runDirectory, "exits"),
    runDirectory,
  };
}

/**
 * Makes the parent cgroup and the tmpfs and notes this process as their owner. `tmpfsMib` bounds the tmpfs.
 * Throws `CannotRun` with the missing piece by name, and leaves nothing behind then.
 */
export function setUpLab(lab: Lab, tmpfsMib: number): void {
  if (process.getuid?.() !== 0) {
    throw new CannotRun("making cgroups and mounting a tmpfs needs root; run it with sudo");
  }
  if (readOwner(lab.runDirectory) !== undefined || isMounted(lab.exits) || isDirectory(lab.cgroup)) {
    throw new CannotRun(
      `an earlier run left ${lab.cgroup} or ${lab.exits} behind; remove it with: npm run leaklab -- clean`,
    );
  }
  if (lab.hierarchy.mode === "v2") requireDelegation(lab.hierarchy.root);
  try {
    mkdirSync(lab.exits, { recursive: true, mode: 0o755 });
    noteOwner(lab.runDirectory);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${tmpfsMib}m,mode=755`, LAB_NAME, lab.exits], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    mkdirSync(lab.cgroup);
    if (lab.hierarchy.mode === "v2") {
      writeFileSync(path.join(lab.cgroup, "cgroup.subtree_control"), "+memory");
    }
  } catch (error) {
    removePlaces(lab);
    throw new CannotRun(`cannot make the lab's cgroup or tmpfs: ${messageOf(error)}`, { cause: error });
  }
}

function requireDelegation(root: string): void {
  const enabled = readFileSync(path.join(root, "cgroup.subtree_control"), "utf8").split(/\s+/);
  if (!enabled.includes("memory")) {
    throw new CannotRun(
      `the memory controller is not enabled below ${root}; the lab does not change that for the whole machine. Enable it with: echo +memory > ${root}/cgroup.subtree_control`,
    );
  }
}

/** What `tearDownLab` found and removed. */
export interface Removed {
  readonly exitFiles: number;
  readonly cgroups: number;
}

/**
 * Removes the files, the tmpfs and the cgroups, whoever made them. Processes that still sit in one of the lab's
 * cgroups are the lab's own and are killed. Safe to call when there is nothing.
 */
export async function tearDownLab(lab: Lab): Promise<Removed> {
  const exitFiles = isMounted(lab.exits) ? countEntries(lab.exits) : 0;
  let cgroups = 0;
  if (isDirectory(lab.cgroup)) {
    for (const name of containersOf(lab)) {
      await removeCgroup(path.join(lab.cgroup, name));
      cgroups += 1;
    }
  }
  removePlaces(lab);
  if (isDirectory(lab.cgroup)) await removeCgroup(lab.cgroup);
  return { exitFiles, cgroups };
}

function removePlaces(lab: Lab): void {
  if (isMounted(lab.exits)) {
    for (const name of readdirSync(lab.exits)) rmSync(path.join(lab.exits, name), { recursive: true });
    try {
      execFileSync("umount", [lab.exits], { stdio: "ignore" });
    } catch {
      // Gone by itself: the run that was asked to stop took it away. Else somebody is looking into it at this moment:
      // detach it now, the kernel drops it when they leave.
      if (isMounted(lab.exits))
        execFileSync("umount", ["-l", lab.exits], { stdio: ["ignore", "ignore", "pipe"] });
    }
  }
  rmSync(lab.runDirectory, { recursive: true, force: true });
  if (isDirectory(lab.cgroup) && containersOf(lab).length === 0) {
    try {
      rmdirSync(lab.cgroup);
    } catch {
      // Still in use; `removeCgroup` takes it from here.
    }
  }
}

/** Removes one cgroup; a process that is just leaving it is waited for, one that stays is killed. Up to 3 s. */
export async function removeCgroup(directory: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      rmdirSync(directory);
      return;
    } catch (error) {
      if (hasCode(error, "ENOENT")) return;
      if (!hasCode(error, "EBUSY") || attempt >= 60) throw error;
    }
    if (attempt === 10) killMembers(directory);
    await sleep(50);
  }
}

function killMembers(directory: string): void {
  for (const line of readFileSync(path.join(directory, "cgroup.procs"), "utf8").split("\n")) {
    const pid = Number(line);
    if (pid > 1 && pid !== process.pid) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It was leaving by itself.
      }
    }
  }
}

/** Names of the containers that are alive in the lab. */
export function containersOf(lab: Lab): string[] {
  return readdirSync(lab.cgroup, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** Files on the lab's tmpfs. */
export function countEntries(directory: string): number {
  return readdirSync(directory).length;
}

/** Whether something is mounted just there. */
export function isMounted(directory: string): boolean {
  return readFileSync(MOUNTS, "utf8")
    .split("\n")
    .some((line) => line.split(" ")[1] === directory);
}

/** Whether a directory is there and can be read. */
export function isDirectory(directory: string): boolean {
  try {
    readdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
