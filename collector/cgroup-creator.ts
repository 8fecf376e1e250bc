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
 * - anything else: the path, numbers and ids as `*` (`system.slice/docker-*.scope`).
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

/** A name of the cgroup file system that can be stored, with UUIDs, what `hexId` fits and numbers as `*`. */
export function foldIds(name: string, hexId: RegExp): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "?")
    .replace(/[0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}/gi, "*")
    .replace(hexId, "*")
    .replace(/\d+/g, "*");
}

function foldPath(path: string): string {
  const folded = foldIds(path, /(?<![a-z])[0-9a-f]{8,}(?![a-z])/gi).replace(/(?:\*[-_.:]?){2,}/g, (run) =>
    run.endsWith("*") ? "*" : `*${run.at(-1) ?? ""}`,
  );
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
