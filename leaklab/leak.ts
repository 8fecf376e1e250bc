import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { BANDS, type BandKey } from "#lib/domain/memory/bands.ts";
import { isDirectory, LAB_NAME } from "./lab.ts";
import { findMemoryHierarchy, isTmpfs, type MemoryHierarchy } from "./machine.ts";

/** KiB by which bands of the composition should move, or did. */
export type BandChange = Readonly<Partial<Record<BandKey, number>>>;

/** Where a leak keeps what it makes: names of its own, and nothing else is ever touched. */
export interface LeakPlace {
  readonly name: string;
  /** Holds the note of who runs it. */
  readonly state: string;
  /** On a disk, made by the leak. */
  readonly disk: string;
  /** In memory, made by the leak. */
  readonly shm: string;
  /** Of the memory controller; undefined where there is none. */
  readonly hierarchy: MemoryHierarchy | undefined;
}

/** What stands until `release`. */
export interface Standing {
  /** How many were made; fewer than asked where the machine has a limit. */
  readonly made: number;
  release(): Promise<void>;
}

/** One way to make kernel memory grow by a known amount. */
export interface Leak {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** What is counted: "threads". */
  readonly unit: string;
  readonly count: number;
  readonly most: number;
  /** Whether it can outlive the program that made it (`--keep`). */
  readonly stays: boolean;
  /** What this machine lacks for it, as a sentence; undefined when nothing. */
  readonly missing: () => string | undefined;
  /** KiB by band for so many, from the measured sizes of one; the first band named is the leak's own. Pure. */
  readonly predict: (count: number, cpus: number) => BandChange;
  readonly start: (place: LeakPlace, count: number) => Promise<Standing>;
  /** Takes away what a run left, also one that was killed; says what, or nothing. */
  readonly clean: (place: LeakPlace) => Promise<string>;
}

/** Names the places of a leak without making anything. `suffix` keeps tests apart. */
export function placeOf(name: string, mounts: string, suffix = ""): LeakPlace {
  const own = `${LAB_NAME}-${name}${suffix}`;
  const isRoot = process.getuid?.() === 0;
  const disk = [os.tmpdir(), "/var/tmp"].find((each) => !isTmpfs(each)) ?? "/var/tmp";
  return {
    name: own,
    state: path.join(isRoot ? "/run" : os.tmpdir(), own),
    disk: path.join(disk, own),
    shm: path.join("/dev/shm", own),
    hierarchy: findMemoryHierarchy(mounts),
  };
}

/** The band that a leak is about. */
export function ownBand(change: BandChange): BandKey {
  const [first] = Object.keys(change);
  const band = BANDS.find(({ key }) => key === first);
  if (band === undefined) throw new RangeError("a leak predicts at least one band");
  return band.key;
}

/** Several lacks as one sentence; undefined when there is none. */
export function lacks(...checks: readonly (string | false)[]): string | undefined {
  const missing = checks.filter((each) => each !== false);
  return missing.length === 0 ? undefined : missing.join("; ");
}

/** Says that root is needed, unless it is there. */
export function needsRoot(what: string): string | false {
  return process.getuid?.() === 0 ? false : `${what} needs root; run it with sudo`;
}

/** Says that a program is needed, unless it can be run. */
export function needsProgram(program: string, what: string): string | false {
  try {
    execFileSync("sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" });
    return false;
  } catch {
    return `${what} needs ${program}, which is not installed`;
  }
}

/** Takes away a directory that a leak made. @returns `what` was in it, or nothing where it is not there. */
export function removeDirectory(directory: string, what: string): string {
  if (!isDirectory(directory)) return "";
  rmSync(directory, { recursive: true });
  return what;
}

/** For leaks that end with their process. */
export async function nothingStays(): Promise<string> {
  return "";
}
