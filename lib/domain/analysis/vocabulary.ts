/** What a trend amounts to; the rules stand in trend.ts. */
export type TrendVerdict =
  "leaking" | "growing" | "stepped" | "levelling-off" | "flat" | "shrinking" | "insufficient";

/** What happened to a slope at a mark; the rules stand in event-study.ts. */
export type SlopeVerdict =
  "stopped" | "slowed" | "unchanged" | "faster" | "started" | "inconclusive" | "too-early";

/** What happened to a level at a mark; the amount is a number of its own. */
export type LevelVerdict = "freed" | "added" | "none" | "inconclusive";

/** Lower and upper end of a 95 % interval. */
export type Interval = readonly [number, number];

/** A slope in the unit of its series per hour, with its interval. */
export interface Slope {
  readonly slopePerHour: number;
  readonly ci95: Interval;
}

/** An estimate with its interval, in the unit that its name says. */
export interface Estimate {
  readonly value: number;
  readonly ci95: Interval;
}

/** What memory has to do with containers; the rules stand in correlation.ts. */
export type CorrelationVerdict =
  "leaves-behind" | "in-use" | "unrelated" | "cannot-separate" | "insufficient";

/** Why containers cannot be told from something else. */
export type SeparationObstacle = "live-unknown" | "steady-rate" | "collinear" | "wide-interval";
