import type { CgroupWalk } from "./cgroup-walk.ts";
import { isCount, parseRecord } from "./parse-record.ts";

/**
 * Counts cgroups that were created, also those that came and went between two looks. Nodes of a cgroup file system are
 * numbered one after the other, and a new cgroup takes one number for its directory and one for each control file. So
 * the number of the newest directory, divided by that, is the number of cgroups made since boot.
 *
 * What is counted: every cgroup of the hierarchy, so containers, pods, exec sessions, and units of systemd. It is a lower
 * bound: what is newer than the newest directory seen is counted once a later one is seen. Numbers wrap at 2^31.
 *
 * On kernels before about 4.14 freed numbers are given out again, and on 3.10 they come from elsewhere: there is no
 * count then, rather than a wrong one.
 */
export interface CreatedState {
  bootId: string;
  hierarchy: string;
  /** Number of the newest directory so far. */
  position: number;
  /** `position` as it was at the walk before; what is below it and new was numbered backwards. */
  earlierPosition: number;
  created: number;
  /** Numbers that do not make a whole cgroup yet. */
  remainder: number;
  numbersPerCgroup: number;
  /** New directories whose number had been given out before. */
  reused: number;
  /** A new directory took a number above all others although lower ones were free. */
  proven: boolean;
}

const WRAP = 2 ** 31;
const TURN_BITS = 2 ** 32;
/** So many reused numbers show that the kernel does not count upwards. */
const REUSED_ENOUGH = 3;

/** The count, or why there is none. */
export type Created = { created: number } | { reason: string };

/**
 * Takes in one walk. `before` is the state of the walk before (of this or an earlier run of the collector in the same
 * boot), `known` the inode numbers that it saw. The count never falls within a boot.
 */
export function advanceCreated(
  before: CreatedState | undefined,
  walk: CgroupWalk,
  place: { bootId: string; hierarchy: string },
  known: ReadonlySet<number>,
): CreatedState | undefined {
  if (walk.filesPerCgroup === undefined) return before;
  const continued =
    before?.bootId === place.bootId && before.hierarchy === place.hierarchy ? before : undefined;
  const numbersPerCgroup = Math.max(continued?.numbersPerCgroup ?? 0, walk.filesPerCgroup + 1);
  const numbers = walk.inodes.filter((inode) => inode !== walk.rootInode);

  if (continued === undefined) {
    const position = numbers.reduce((most, inode) => Math.max(most, toPosition(inode)), 0);
    const used = Math.max(0, position - (1 + walk.rootFiles) - 1);
    return {
      ...place,
      position,
      earlierPosition: position,
      created: Math.floor(used / numbersPerCgroup) + 1,
      remainder: 0,
      numbersPerCgroup,
      reused: 0,
      proven: false,
    };
  }

  const turnsAreVisible = numbers.some((inode) => inode >= TURN_BITS);
  let ahead = 0;
  let reused = continued.reused;
  for (const inode of numbers) {
    if (known.has(inode)) continue;
    const number = toPosition(inode);
    // After a restart every directory is new to us, the oldest too: none of those is past a wrap.
    const mayFold = !turnsAreVisible && known.size > 0;
    const distance = mayFold ? distanceOnWheel(number, continued.position) : number - continued.position;
    ahead = Math.max(ahead, distance);
    if (known.size > 0 && distance < 0 && number < continued.earlierPosition) reused += 1;
  }
  const total = continued.remainder + ahead;
  const gone = continued.position > 1.5 * walk.live * numbersPerCgroup + walk.rootFiles;
  return {
    ...place,
    position: turnsAreVisible ? continued.position + ahead : (continued.position + ahead) % WRAP,
    earlierPosition: continued.position,
    created: continued.created + Math.floor(total / numbersPerCgroup),
    remainder: total % numbersPerCgroup,
    numbersPerCgroup,
    reused,
    proven: continued.proven || (ahead > 0 && gone),
  };
}

/**
 * Reads the count off the state. It is trusted when this kernel was seen to count upwards, or is of a release that
 * does (4.14 and later) and was not seen to do otherwise.
 */
export function readCreated(state: CreatedState, walk: CgroupWalk, kernelRelease: string): Created {
  if (walk.rootInode !== 1) return { reason: "the root of the hierarchy is not visible, or is no kernfs" };
  if (state.reused >= REUSED_ENOUGH) return { reason: "this kernel gives out freed inode numbers again" };
  if (!state.proven && !isAtLeast414(kernelRelease)) {
    return { reason: "not yet seen that this kernel numbers new cgroups upwards" };
  }
  return { created: state.created };
}

/** Since 5.5 a 64-bit kernel puts the number of turns of the wheel above the lower 32 bits. */
function toPosition(inode: number): number {
  return Math.floor(inode / TURN_BITS) * WRAP + (inode % TURN_BITS);
}

/** How far a number lies after another where turns are not visible: from the last eighth to the first is forwards. */
function distanceOnWheel(number: number, position: number): number {
  const crossed = position > (WRAP / 8) * 7 && number < WRAP / 8;
  return number - position + (crossed ? WRAP : 0);
}

function isAtLeast414(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split(/[.-]/).map(Number);
  return major > 4 || (major === 4 && minor >= 14);
}

/** Checks what was read back from disk; anything else starts anew. */
export function parseCreatedState(text: string): CreatedState | undefined {
  const state = parseRecord(text);
  if (state === undefined) return undefined;
  const numbers = [
    "position",
    "earlierPosition",
    "created",
    "remainder",
    "numbersPerCgroup",
    "reused",
  ] as const;
  const sound =
    typeof state.bootId === "string" &&
    typeof state.hierarchy === "string" &&
    typeof state.proven === "boolean" &&
    numbers.every((key) => isCount(state[key]));
  return sound ? (state as unknown as CreatedState) : undefined;
}
