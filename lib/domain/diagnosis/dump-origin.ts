import type { SampleTime } from "../dumps/caption-moment.ts";
import { areOneSizeAll, totalOf } from "../dumps/contradictions.ts";
import type { DumpReading } from "../dumps/read-dump.ts";
import { parseSampleTime } from "../dumps/sample-time.ts";
import { formatMemory } from "../memory/quantity.ts";

/** Which machine a text is of and when it was taken; each absent where the text does not say. */
export interface DumpOrigin {
  /** The machine that is judged. */
  readonly host: string | undefined;
  readonly memTotalKib: number | undefined;
  readonly kernelRelease: string | undefined;
  readonly bootId: string | undefined;
  readonly uptimeMs: number | undefined;
  /** Of the newest thing that was recognised: as printed, and as a time of the calendar or of a day. */
  readonly taken: { readonly text: string; readonly time: SampleTime } | undefined;
}

/** Which of two dumps is the newer one, and what tells. */
export interface DumpOrder {
  readonly newer: "first" | "second";
  /** Their times, how long the machine was up, or only that it was given as the second. */
  readonly by: "time" | "uptime" | "place";
}

/** Why a difference of two dumps is no growth: sentences without a full stop, the plainest first. */
export interface OriginDifference {
  /** Other machines, or one machine that was started anew between the two. */
  readonly kind: "machine" | "boot";
  readonly reasons: readonly string[];
}

export function originOf(reading: DumpReading): DumpOrigin {
  const { judgedHost, machine, composition, kernelRelease } = reading;
  const samples = reading.samples.filter(({ host }) => judgedHost === undefined || host === judgedHost);
  const hosts = new Set(samples.flatMap(({ host }) => host ?? []));
  const times = samples.flatMap(({ at }) => {
    const time = parseSampleTime(at);
    return at === undefined || time === undefined ? [] : [{ text: at, time }];
  });
  const newestOf = (scale: SampleTime["scale"]) =>
    times
      .filter(({ time }) => time.scale === scale)
      .reduce<DumpOrigin["taken"]>(
        (newest, each) => (newest === undefined || each.time.ms >= newest.time.ms ? each : newest),
        undefined,
      );
  // Stamps of the kernel's log are of messages; only `uptime` says how long the machine has been up.
  const up = samples.findLast(({ at }) => at?.includes(", up ") === true)?.at;
  return {
    host: judgedHost ?? machine.name ?? (hosts.size === 1 ? [...hosts][0] : undefined),
    memTotalKib: composition?.totalKib ?? samples.map(totalOf).findLast((total) => total !== undefined),
    kernelRelease,
    bootId: machine.bootId,
    uptimeMs: machine.uptimeSeconds === undefined ? parseSampleTime(up)?.ms : 1000 * machine.uptimeSeconds,
    taken: newestOf("calendar") ?? newestOf("day"),
  };
}

/** Where their times are of one kind these tell; else the longer uptime of one boot; else the second is the newer one. */
export function orderOf(first: DumpOrigin, second: DumpOrigin): DumpOrder {
  const [a, b] = [first.taken?.time, second.taken?.time];
  if (a !== undefined && b !== undefined && a.scale === b.scale && a.ms !== b.ms)
    return { newer: a.ms > b.ms ? "first" : "second", by: "time" };
  const isOneBoot = first.bootId !== undefined && first.bootId === second.bootId;
  if (isOneBoot && first.uptimeMs !== undefined && second.uptimeMs !== undefined)
    return { newer: first.uptimeMs > second.uptimeMs ? "first" : "second", by: "uptime" };
  return { newer: "second", by: "place" };
}

/** What tells that two dumps are not of one machine, or not of one boot of it; `undefined` where nothing does. */
export function originDifference(
  first: DumpOrigin,
  second: DumpOrigin,
  order: DumpOrder,
): OriginDifference | undefined {
  const both = <T>(of: (origin: DumpOrigin) => T | undefined): readonly [T, T] | undefined => {
    const [a, b] = [of(first), of(second)];
    return a === undefined || b === undefined ? undefined : [a, b];
  };
  const hosts = both(({ host }) => host);
  const totals = both(({ memTotalKib }) => memTotalKib);
  const machine = [
    ...(hosts !== undefined && !isOneName(...hosts) ? [`host ${hosts[0]} and ${hosts[1]}`] : []),
    ...(totals !== undefined && !areOneSizeAll(totals)
      ? [`MemTotal ${formatMemory(totals[0])} and ${formatMemory(totals[1])}`]
      : []),
  ];
  const kernels = both(({ kernelRelease }) => kernelRelease);
  const boots = both(({ bootId }) => bootId);
  const [older, newer] = order.newer === "second" ? [first, second] : [second, first];
  const boot = [
    ...(kernels !== undefined && kernels[0] !== kernels[1] ? [`kernel ${kernels[0]} and ${kernels[1]}`] : []),
    ...(boots !== undefined && boots[0] !== boots[1] ? ["two boot ids"] : []),
    ...(order.by === "time" &&
    older.uptimeMs !== undefined &&
    newer.uptimeMs !== undefined &&
    newer.uptimeMs < older.uptimeMs
      ? ["the newer one was up for less time"]
      : []),
  ];
  if (machine.length > 0) return { kind: "machine", reasons: [...machine, ...boot] };
  return boot.length > 0 ? { kind: "boot", reasons: boot } : undefined;
}

/** A machine is called by its name with its domain or without. */
function isOneName(a: string, b: string): boolean {
  const [short, long] = [a.toLowerCase(), b.toLowerCase()].sort((one, other) => one.length - other.length);
  return short === long || (long?.startsWith(`${short}.`) ?? false);
}
