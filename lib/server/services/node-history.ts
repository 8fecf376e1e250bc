import { eventKind } from "#lib/contracts/annotation.ts";
import { isDerivedBootId, isSameBootTime } from "#lib/domain/prometheus/boot-identity.ts";
import { IMPORTED_LABEL } from "#lib/domain/prometheus/node-identity.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import type { KnownBoot, KnownRevision, RevisionFields } from "#lib/server/data/identities.ts";
import type { MachineMark } from "#lib/server/data/machine-marks.ts";

/** What the boots and revisions of a node mean, and which marks they deserve. Pure. */

/** Clocks set during a boot move its computed start: boots may seem to overlap by this much without doing so. */
const CLOCK_SLACK_MS = 60_000;
/** A boot that was heard of this recently still counts as reporting. */
const STILL_REPORTING_MS = 10 * 60_000;

/** A boot as one snapshot of it shows it. */
export function bootOf(snapshot: Snapshot): Omit<KnownBoot, "bootRef"> {
  return {
    bootId: snapshot.bootId,
    startedAtMs: Math.max(0, Math.round(snapshot.at - snapshot.uptimeSeconds * 1000)),
    firstAtMs: snapshot.at,
    lastAtMs: snapshot.at,
  };
}

type Boot = Omit<KnownBoot, "bootRef">;

/**
 * The boot that a snapshot belongs to, where it is known: by its id, or, where one of the two is known by the time of the
 * boot only (from Prometheus), by that. So a collector goes on with the boot whose history was imported.
 */
export function findSameBoot<Known extends Boot>(boots: readonly Known[], sighted: Boot): Known | undefined {
  return (
    boots.find(({ bootId }) => bootId === sighted.bootId) ??
    boots.find(
      (boot) =>
        (isDerivedBootId(boot.bootId) || isDerivedBootId(sighted.bootId)) &&
        isSameBootTime(boot.startedAtMs, sighted.startedAtMs),
    )
  );
}

/**
 * Whether a snapshot shows that two machines report under one name: the older of two boots is heard of after the newer
 * one has begun.
 * @param sighting time of the snapshot, and the start of its boot by that snapshot alone: a clock that was set since
 *   the first snapshot must not look like a second machine.
 * @returns the other boot.
 */
export function findConflict(
  boots: readonly Boot[],
  boot: Boot,
  sighting: { atMs: number; startedAtMs: number },
): Boot | undefined {
  return boots.find((other) => {
    if (other.bootId === boot.bootId || Math.abs(other.lastAtMs - sighting.atMs) >= STILL_REPORTING_MS) {
      return false;
    }
    return other.startedAtMs > boot.startedAtMs
      ? sighting.atMs > other.firstAtMs
      : other.lastAtMs > sighting.startedAtMs + CLOCK_SLACK_MS;
  });
}

/** Whether a newer boot is reporting too, so that this one must not stand for the node. */
export function isSuperseded(boots: readonly Boot[], boot: Boot, atMs: number): boolean {
  return boots.some(
    (other) =>
      other.bootId !== boot.bootId &&
      other.startedAtMs > boot.startedAtMs &&
      Math.abs(other.lastAtMs - atMs) < STILL_REPORTING_MS,
  );
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The mark of two boots that report at once; one for each pair. */
export function conflictMark(nodeId: number, pair: readonly [Boot, Boot], atMs: number): MachineMark {
  const ids = pair.map(({ bootId }) => bootId).sort();
  return {
    nodeId,
    atMs,
    kind: "boot-conflict",
    title: "Two boots report under this name at once",
    text: `Snapshots of the boots ${ids.join(" and ")} overlap. Two machines seem to have one name, or one runs two collectors over different mounts; their data are kept apart by boot.`,
    dedupeKey: `conflict:${nodeId}:${ids.join(":")}`,
  };
}

/**
 * Marks for a boot that is seen for the first time: a reboot for it if another came before, and for the one after it
 * if that was taken for the first.
 * @param last what the boot before looked like at its end, where known.
 */
export function rebootMarks(
  nodeId: number,
  boots: readonly Boot[],
  boot: Boot,
  last?: { bootId: string; memAvailableKib: number | undefined },
): MachineMark[] {
  const inOrder = [...boots, boot].sort((a, b) => a.startedAtMs - b.startedAtMs);
  const index = inOrder.indexOf(boot);
  const pairs = [
    [inOrder[index - 1], boot],
    [boot, inOrder[index + 1]],
  ] as const;
  return pairs.flatMap(([before, after]) => {
    if (!before || !after) return [];
    if (findConflict([before], after, { atMs: after.firstAtMs, startedAtMs: after.startedAtMs })) return [];
    const available = last?.bootId === before.bootId ? last.memAvailableKib : undefined;
    return [
      {
        nodeId,
        atMs: after.startedAtMs,
        kind: "reboot" as const,
        title: "Reboot",
        text:
          `Boot ${after.bootId}. Last snapshot before: ${iso(before.lastAtMs)}` +
          (available === undefined ? "." : `, with MemAvailable at ${available} KiB.`),
        dedupeKey: `reboot:${nodeId}:${after.bootId}`,
      },
    ];
  });
}

/**
 * What a snapshot says runs on the node, if that differs from what is recorded. What it does not tell stays as it was:
 * a version that could not be asked for has not gone.
 */
export function nextRevision(
  current: KnownRevision | undefined,
  snapshot: Snapshot,
): RevisionFields | undefined {
  const next: RevisionFields = {
    kernelRelease: snapshot.kernelRelease,
    cpus: snapshot.cpus,
    pageSizeBytes: snapshot.pageSizeBytes ?? current?.pageSizeBytes ?? null,
    cgroupMode: snapshot.cgroups?.mode ?? current?.cgroupMode ?? null,
    versions: { ...current?.versions, ...snapshot.versions },
    labels: snapshot.labels ?? withoutImported(current?.labels ?? {}),
  };
  if (!current) return next;
  const same =
    current.kernelRelease === next.kernelRelease &&
    current.cpus === next.cpus &&
    current.pageSizeBytes === next.pageSizeBytes &&
    current.cgroupMode === next.cgroupMode &&
    isSameRecord(current.versions, next.versions) &&
    isSameRecord(current.labels, next.labels);
  return same ? undefined : next;
}

/** A node that reports itself now is no longer one that is only imported. */
function withoutImported({ [IMPORTED_LABEL]: _, ...labels }: Readonly<Record<string, string>>) {
  return labels;
}

function isSameRecord(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Marks for a change of kernel, and for each program that is of another version than before. */
export function revisionMarks(
  nodeId: number,
  current: RevisionFields,
  next: RevisionFields,
  { atMs, startedAtMs }: { atMs: number; startedAtMs: number },
): MachineMark[] {
  const marks: MachineMark[] = [];
  if (current.kernelRelease !== next.kernelRelease) {
    marks.push({
      nodeId,
      atMs: startedAtMs,
      kind: "kernel-change",
      title: `Kernel ${current.kernelRelease} → ${next.kernelRelease}`,
      tags: ["kernel"],
      dedupeKey: `kernel:${nodeId}:${atMs}`,
    });
  }
  for (const [program, version] of Object.entries(next.versions)) {
    const before = current.versions[program];
    // The kernel has a mark of its own kind.
    if (before === undefined || before === version || program === "kernel") continue;
    marks.push({
      nodeId,
      atMs,
      kind: "version-change",
      title: `${program} ${before} → ${version}`,
      tags: [program],
      dedupeKey: `version:${nodeId}:${program}:${atMs}`,
    });
  }
  return marks;
}

function withTimeNote(text: string | undefined, at: number): string {
  const note = `The node gives ${new Date(at).toISOString()} as its time, which is not kept or still to come: it stands at the time of the snapshot that told it.`;
  return text === undefined ? note : `${text}\n\n${note}`;
}

/** A mark for each event that the collector reports; one whose time cannot be right stands at the snapshot's, and says so. */
export function eventMarks(
  nodeId: number,
  snapshot: Snapshot,
  accepted: { fromMs: number; toMs: number },
): MachineMark[] {
  return (snapshot.events ?? []).map(({ at, until, kind, title, text, key }) => {
    const isPlaced = at >= accepted.fromMs && at <= accepted.toMs;
    const known = eventKind.safeParse(kind);
    return {
      nodeId,
      atMs: isPlaced ? at : snapshot.at,
      ...(isPlaced && until !== undefined && until >= at && until <= accepted.toMs && { endsAtMs: until }),
      kind: known.success ? known.data : "event",
      title,
      text: isPlaced ? text : withTimeNote(text, at),
      tags: [kind],
      dedupeKey: key === undefined ? `event:${nodeId}:${at}:${kind}:${title}` : `event:${nodeId}:${key}`,
    };
  });
}
