/** Where a series is read from, and how wide the buckets of the answer are. */
export interface BucketPlan {
  readonly source: "raw" | "5min" | "1h";
  readonly bucketSeconds: number;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const STEP_SECONDS = { raw: 1, "5min": 300, "1h": HOUR } as const;

/** Widths that a person reads easily and that divide an hour, a day or a week. */
const WIDTHS = [
  ...[1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 150, 180, 240],
  ...[5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120].map((minutes) => minutes * MINUTE),
  ...[3, 4, 6, 8, 12, 24].map((hours) => hours * HOUR),
  ...[2, 3, 4, 7, 14, 28].map((days) => days * DAY),
];

function narrowestWidth(step: number, atLeastSeconds: number): number {
  const fitting = WIDTHS.find((width) => width >= atLeastSeconds && width % step === 0);
  return fitting ?? Math.ceil(atLeastSeconds / (28 * DAY)) * 28 * DAY;
}

/**
 * Chooses buckets for at most `points` points over a range: the coarsest source that still gives at least half as many
 * as asked for, so that a month is read from 720 rows and not from 170,000. A source that lacks the oldest part of what
 * there is in the range is passed over for a coarser one.
 * @param oldestMs time of the oldest sample that each source knows of, epoch milliseconds; Infinity where it has none.
 */
export function planBuckets(request: {
  fromMs: number;
  toMs: number;
  points: number;
  oldestMs: Readonly<Record<BucketPlan["source"], number>>;
}): BucketPlan {
  const seconds = Math.max(1, (request.toMs - request.fromMs) / 1000);
  // Buckets are cut at round times, so the range may touch one more than it is wide.
  const ideal = seconds / Math.max(1, request.points - 1);
  const plans = (["1h", "5min", "raw"] as const).map((source) => ({
    source,
    bucketSeconds: narrowestWidth(STEP_SECONDS[source], ideal),
  }));
  const { raw, "5min": fiveMinutes, "1h": hour } = request.oldestMs;
  const startMs = Math.max(request.fromMs, Math.min(raw, fiveMinutes, hour));
  const whole = plans.filter(({ source }) => request.oldestMs[source] <= startMs);
  const fine = whole.find(({ bucketSeconds }) => seconds / bucketSeconds >= request.points / 2);
  return fine ?? whole.at(-1) ?? { source: "raw", bucketSeconds: narrowestWidth(STEP_SECONDS.raw, ideal) };
}
