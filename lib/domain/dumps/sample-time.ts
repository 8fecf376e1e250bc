import { momentOf, type SampleTime } from "./caption-moment.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * When a sample was taken, from what stands beside it: an ISO time, a date of a log, `up 6 days, 7:46` of uptime,
 * `123.4 s after boot`, a bare clock, or a caption (`day 2`, `After`). Zones are not known, so calendar times compare only with each other.
 */
export function parseSampleTime(text: string | undefined): SampleTime | undefined {
  if (text === undefined) return undefined;
  const boot = /^(\d{1,9}(?:\.\d{1,9})?) s after boot$/.exec(text);
  if (boot) return { scale: "boot", ms: Number(boot[1]) * 1000 };
  const up = /, up {1,3}(?:(\d{1,5}) days?, {1,4})?(?:(\d{1,2}):(\d{2})|(\d{1,3}) min)/.exec(text);
  if (up) {
    const minutes = up[4] === undefined ? Number(up[2]) * 60 + Number(up[3]) : Number(up[4]);
    return { scale: "boot", ms: Number(up[1] ?? 0) * DAY_MS + minutes * MINUTE_MS };
  }
  const clock = /^(\d{2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?$/.exec(text);
  if (clock)
    return {
      scale: "day",
      ms: ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3] ?? 0)) * 1000,
    };
  const moment = momentOf(text);
  if (moment !== undefined) return moment === "unordered" ? undefined : moment;
  // Fractions longer than three digits are no ISO 8601 of ECMAScript.
  const parsed = Date.parse(
    text
      .replace(",", ".")
      .replace(/(\.\d{3})\d+/, "$1")
      .replace(/(\.\d{1,2})(?=\D|$)/, "$1"),
  );
  return Number.isFinite(parsed) ? { scale: "calendar", ms: parsed } : undefined;
}

/**
 * Samples in order of time, with the hours from the first, where all carry a time of one scale; else in their own order
 * without hours. Times since boot that fall are two boots: then only what follows the last fall is one series.
 */
export function orderInTime<T extends { readonly at: string | undefined }>(
  samples: readonly T[],
): readonly { readonly sample: T; readonly hours: number | undefined }[] {
  const timed = samples.map((sample) => ({ sample, time: parseSampleTime(sample.at) }));
  const known = timed.flatMap(({ sample, time }) => (time === undefined ? [] : [{ sample, time }]));
  const scale = commonScale(known.map(({ time }) => time));
  if (known.length > 0 && scale === undefined) return samples.map((sample) => ({ sample, hours: undefined }));
  if (scale === "boot") return sinceLastBoot(timed);
  if (known.length < samples.length || scale === undefined)
    return samples.map((sample) => ({ sample, hours: undefined }));
  const ordered = [...known].sort((a, b) => a.time.ms - b.time.ms);
  return ordered.map(({ sample, time }) => ({
    sample,
    hours: scale === "order" ? undefined : (time.ms - (ordered[0]?.time.ms ?? 0)) / 3_600_000,
  }));
}

/** The scale on which times compare; `Before` stands before `2 days later`, though nobody knows by how much. */
export function commonScale(times: readonly SampleTime[]): SampleTime["scale"] | undefined {
  const [first, ...more] = new Set(times.map(({ scale }) => scale));
  if (more.length === 0) return first;
  return times.every(({ scale }) => scale === "order" || scale === "elapsed") ? "order" : undefined;
}

function sinceLastBoot<T>(
  timed: readonly { readonly sample: T; readonly time: SampleTime | undefined }[],
): readonly { readonly sample: T; readonly hours: number | undefined }[] {
  let start = 0;
  let before = -Infinity;
  timed.forEach(({ time }, place) => {
    if (time === undefined) return;
    if (time.ms < before) start = place;
    before = time.ms;
  });
  const kept = timed.slice(start);
  const first = kept.find(({ time }) => time !== undefined)?.time?.ms;
  return kept.map(({ sample, time }) => ({
    sample,
    hours: time === undefined || first === undefined ? undefined : (time.ms - first) / 3_600_000,
  }));
}
