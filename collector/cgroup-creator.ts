/** What is known of a pod from elsewhere: `namespace/name`, by the pod's uid. */
export type PodNames = (uid: string) => string | undefined;

const POD =
  /(?:^|[/-])pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?(?=\/|$)/i;
const QUALITY = /(?:^|[/-])(burstable|besteffort)(?:\.slice|\/|-pod)/;
const LONGEST = 180;

/** The uid of the pod that a cgroup belongs to, as Kubernetes writes it; `undefined` for cgroups of no pod. */
export function podUidOf(path: string): string | undefined {
  return POD.exec(path)?.[1]?.replaceAll("_", "-").toLowerCase();
}

/**
 * Who creates cgroups like this one, by its path below the root of the hierarchy:
 *
 * - of a pod whose name is known: its namespace and name, without what a controller made up (`jobs/pull-monitor-*`);
 * - of a pod that was there before: the pod, which starts containers again and again;
 * - of a pod that is new: new pods of that quality of service, for each of them has an id of its own;
 * - anything else: the path, ids as `*` (`system.slice/docker-*.scope`).
 */
export function creatorOf(
  path: string,
  pods: { names: PodNames; isKnown: (uid: string) => boolean },
): string {
  const uid = podUidOf(path);
  if (uid === undefined) return foldPath(path);
  const name = pods.names(uid);
  if (name !== undefined) return foldPodName(name).slice(0, LONGEST);
  if (pods.isKnown(uid)) return `pod ${uid}`;
  return `new pods, ${QUALITY.exec(path)?.[1] ?? "guaranteed"}`;
}

const UUID = /[0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}/gi;
/**
 * Hexadecimal of 8 digits and more with a decimal among them, by itself or behind the letter of a prefix such as `run-r`; of 32
 * and more wherever it stands.
 */
const HEX_ID = /(?<![a-z0-9])(r)?(?=[a-f]*\d)[0-9a-f]{8,}(?![a-z0-9])|[0-9a-f]{32,}/gi;
/** What people do not number by hand. */
const LONG_NUMBER = /\d{5,}/g;
/** What follows `@` in the name of a unit. */
const INSTANCE = /@[^@/]{1,200}?(?=\.(?:service|scope|slice|socket|mount|timer)(?:$|\/)|$|\/)/g;
/** Programs that number what they make. */
const NUMBERED =
  /(?<=(?:^|\/)(?:session-c?|user-|run-p?|run-u|machine-qemu\\x2d|pid-|container-|crio-|docker-|libpod-|lxc-|lxc\.payload\.))\d+(?:-i?\d+)*(?![a-z0-9])/gi;
/** The whole of a name. */
const BARE_NUMBER = /(?<=^|\/)\d+(?=$|\/|\.)/g;

/**
 * A name of the cgroup file system that can be stored, with what looks like an id as `*`: UUIDs, long hexadecimal and decimal
 * numbers, instances of templates, and what systemd and runtimes number. A digit by itself is part of a name: `web1` and
 * `web2` are two.
 */
export function foldIds(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "?")
    .replace(UUID, "*")
    .replace(INSTANCE, "@*")
    .replace(HEX_ID, (_, prefix: string | undefined) => `${prefix ?? ""}*`)
    .replace(LONG_NUMBER, "*")
    .replace(NUMBERED, "*")
    .replace(BARE_NUMBER, "*")
    .replace(/(?:\*[-_.:]?){2,}/g, (run) => (run.endsWith("*") ? "*" : `*${run.at(-1) ?? ""}`));
}

const MOST_SIBLINGS = 8;

/** A name with every number as `*`. */
export function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, "*");
}

/**
 * Adds up, in place, names that differ in their numbers alone once there are more than a few of them: `web1` and `web2` are
 * named by somebody, `c1` to `c90` by a loop. What was added up once goes on so.
 */
export function mergeNumbered(counts: Map<string, number>): void {
  const shapes = new Map<string, string[]>();
  for (const name of counts.keys()) {
    const shape = withoutNumbers(name);
    const names = shapes.get(shape);
    if (names === undefined) shapes.set(shape, [name]);
    else names.push(name);
  }
  for (const [shape, names] of shapes) {
    if (names.length < 2 || (names.length <= MOST_SIBLINGS && !counts.has(shape))) continue;
    const sum = names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
    for (const name of names) counts.delete(name);
    counts.set(shape, sum);
  }
}

function foldPath(path: string): string {
  const folded = foldIds(path);
  return folded.length > LONGEST ? `…${folded.slice(1 - LONGEST)}` : folded;
}

/** Random suffixes that Kubernetes gives use no vowels and few digits, so that they spell nothing. */
const RANDOM = "[bcdfghjklmnpqrstvwxz2456789]";
const MADE_UP = new RegExp(`(?:-(?:${RANDOM}{8,10}|\\d+))?-${RANDOM}{5}$`);

/** The name of a pod without what its ReplicaSet, Job, DaemonSet or StatefulSet made up. */
function foldPodName(name: string): string {
  return name
    .replace(MADE_UP, "-*")
    .replace(/-\d+(?=$|-)/g, "-*")
    .replace(/(?:-\*){2,}/g, "-*");
}
