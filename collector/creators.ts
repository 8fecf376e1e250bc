import { readdirSync } from "node:fs";
import path from "node:path";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { SECTION_LIMITS } from "#lib/domain/snapshot/source-sections.ts";
import { creatorOf, mergeNumbered, podUidOf, withoutNumbers, type PodNames } from "./cgroup-creator.ts";
import { isCount, parseRecord } from "./parse-record.ts";

/** Cgroups that were seen to be new, by who created them, since counting began in this boot. */
export interface CreatorState {
  readonly bootId: string;
  readonly hierarchy: string;
  /** All of them, also those that are no leaves. */
  readonly seen: number;
  /** How many the kernel made between the same looks, by inode numbers. */
  readonly made: number | undefined;
  readonly creators: Readonly<Record<string, number>>;
}

/** One walk over the hierarchy. */
export interface Look {
  /** Paths of leaves below the root that were not there at the walk before. */
  readonly newLeaves: readonly string[];
  /** Directories that were not there at the walk before. */
  readonly newDirectories: number;
  /** How many cgroups the kernel has made since boot; `undefined` where inode numbers do not say. */
  readonly created: number | undefined;
}

export interface CreatorCounter {
  /** Takes in a walk. The first one only says what is there. */
  take: (look: Look) => void;
  section: () => NonNullable<SnapshotInput["creators"]>;
  state: () => CreatorState;
}

/** More kinds than are sent: the smallest are put together when there are too many, and their sum goes on rising. */
const MOST_NAMES = 2 * SECTION_LIMITS.creators;
const OTHERS = "(others)";
const MOST_PODS = 5000;

/** `before` is the state of an earlier run; it goes on in the same boot and hierarchy. */
export function createCreatorCounter(
  place: { bootId: string; hierarchy: string },
  podNames: PodNames,
  before: CreatorState | undefined,
): CreatorCounter {
  const continued =
    before?.bootId === place.bootId && before.hierarchy === place.hierarchy ? before : undefined;
  const creators = new Map(Object.entries(continued?.creators ?? {}));
  const pods = new Set<string>();
  let seen = continued?.seen ?? 0;
  let made = continued === undefined ? 0 : continued.made;
  let createdBefore: number | undefined;
  let isFirst = true;

  function add(creator: string): void {
    const shape = withoutNumbers(creator);
    const name = creators.has(shape) ? shape : creator;
    const isNew = !creators.has(name);
    creators.set(name, (creators.get(name) ?? 0) + 1);
    if (isNew) mergeNumbered(creators);
    if (creators.size <= MOST_NAMES) return;
    const least = [...creators]
      .filter(([each]) => each !== OTHERS && each !== name)
      .reduce((a, b) => (b[1] < a[1] ? b : a));
    creators.delete(least[0]);
    creators.set(OTHERS, (creators.get(OTHERS) ?? 0) + least[1]);
  }

  return {
    take: ({ newLeaves, newDirectories, created }) => {
      const uids = newLeaves.flatMap((leaf) => podUidOf(leaf) ?? []);
      if (!isFirst) {
        seen += newDirectories;
        if (created === undefined || createdBefore === undefined) made = undefined;
        else if (made !== undefined) made += Math.max(0, created - createdBefore);
        for (const leaf of newLeaves) {
          add(creatorOf(leaf, { names: podNames, isKnown: (uid) => pods.has(uid) }));
        }
      }
      isFirst = false;
      createdBefore = created;
      if (pods.size + uids.length > MOST_PODS) pods.clear();
      for (const uid of uids) pods.add(uid);
    },
    section: () => ({
      seen,
      ...(made !== undefined && { made }),
      creators: [...creators]
        .sort(([a, most], [b, least]) => least - most || (a < b ? -1 : 1))
        .slice(0, SECTION_LIMITS.creators)
        .map(([name, count]) => ({ name, created: count })),
    }),
    state: () => ({ ...place, seen, made, creators: Object.fromEntries(creators) }),
  };
}

/** Names of pods from the directories that the kubelet makes for their logs: `NAMESPACE_NAME_UID`. */
export function createPodNames(root: string): PodNames {
  let names = new Map<string, string>();
  const unknown = new Set<string>();
  return (uid) => {
    const known = names.get(uid);
    if (known !== undefined || unknown.has(uid)) return known;
    names = readPodNames(path.join(root, "var/log/pods"));
    // The directory is there before the first container: one that is not, never comes.
    if (!names.has(uid) && unknown.size < MOST_PODS) unknown.add(uid);
    return names.get(uid);
  };
}

function readPodNames(directory: string): Map<string, string> {
  let entries: string[];
  try {
    entries = readdirSync(directory);
  } catch {
    return new Map();
  }
  return new Map(
    entries.slice(0, MOST_PODS).flatMap((entry) => {
      const match = /^([a-z0-9-]{1,63})_([a-z0-9.-]{1,253})_([0-9a-f-]{32,36})$/.exec(entry);
      return match === null ? [] : [[match[3] ?? "", `${match[1]}/${match[2]}`] as const];
    }),
  );
}

/** Checks what was read back from disk; anything else starts anew. */
export function parseCreatorState(text: string): CreatorState | undefined {
  const value = parseRecord(text);
  if (value === undefined) return undefined;
  const { bootId, hierarchy, seen, made, creators } = value;
  const isSound =
    typeof bootId === "string" &&
    typeof hierarchy === "string" &&
    isCount(seen) &&
    (made === undefined || isCount(made)) &&
    typeof creators === "object" &&
    creators !== null &&
    Object.values(creators).every(isCount);
  return isSound ? (value as unknown as CreatorState) : undefined;
}
