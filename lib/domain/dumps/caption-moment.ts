/**
 * A time as it was printed: of the calendar, of a day, since boot, since a person began, or only a place in an order. Only those
 * of one scale compare.
 */
export interface SampleTime {
  readonly scale: "calendar" | "day" | "boot" | "elapsed" | "order";
  readonly ms: number;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const UNIT = "(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)";

const CLOCK = /^(?:at|@|time)?[ :]{0,2}(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?(?: [a-z]{1,5})?$/;
const HOUR = /^(?:at )?(\d{1,2}) ?([ap])\.?m\.?$/;
/** `day 2`, `week-3`. */
const NUMBERED = new RegExp(`^(?:after )?${UNIT}[ -]?(\\d{1,4})$`);
/** `2 hours later`, `after 3 days`, `t+30m`, `1h after boot`. */
const ELAPSED = new RegExp(
  `^(?:after |t ?\\+ ?|\\+ ?)?(\\d{1,4}) ?${UNIT}(?: (?:later|after|on|in)\\b.{0,40})?$`,
);
/** `sample 3`, `dump #2`, `t1`. */
const COUNTED = /^(?:sample|dump|snapshot|snap|reading|run|take|step|round|iteration|t)[ _-]?#?(\d{1,4})$/;
const ORDINALS = ["first", "second", "third", "fourth", "fifth"] as const;
const ORDINAL = new RegExp(
  `^(?:the )?(${ORDINALS.join("|")})(?: (?:sample|dump|snapshot|reading|run|time|one))?$`,
);
const EARLY = /^(?:before|prior to|initial|initially|start|begin|beginning|baseline|earlier|yesterday)\b/;
const LATE = /^(?:after|afterwards|later|now|today|end|final|finally|last)\b/;
/** What `initial` and the like are of; `end of node 3` is no moment. */
const OF_SAMPLE =
  /^\S{1,20}(?: (?:state|sample|dump|snapshot|reading|values?|run|meminfo|of (?:the )?(?:test|run|day|week)|today|yesterday|on))?$/;
const DAYS =
  /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$|^(?:this )?(?:morning|noon|afternoon|evening|night)$/;

const LONGEST = 60;

/**
 * The moment that a caption names: of a day, elapsed, or only earlier or later than others. `unordered` where it names a
 * moment that does not say which comes first; `undefined` where it names something else, another machine for instance.
 *
 * @example momentOf("After restart") // { scale: "order", ms: 1e15 }
 */
export function momentOf(caption: string): SampleTime | "unordered" | undefined {
  if (caption.length > LONGEST) return undefined;
  const text = caption.trim().toLowerCase().replace(/\s+/g, " ");
  const clock = CLOCK.exec(text) ?? HOUR.exec(text);
  if (clock) return clockTime(clock);
  const [, unit, count] = NUMBERED.exec(text) ?? [];
  if (unit !== undefined) return elapsed(Number(count), unit);
  const [, number, of] = ELAPSED.exec(text) ?? [];
  if (of !== undefined) return elapsed(Number(number), of);
  const counted = COUNTED.exec(text)?.[1];
  if (counted !== undefined) return order(Number(counted));
  const ordinal = ORDINAL.exec(text)?.[1];
  if (ordinal !== undefined) return order(1 + ORDINALS.findIndex((each) => each === ordinal));
  if (/^(?:before|prior to|after)\b/.test(text) || OF_SAMPLE.test(text)) {
    if (EARLY.test(text)) return order(-EXTREME);
    if (LATE.test(text)) return order(EXTREME);
  }
  return DAYS.test(text) ? "unordered" : undefined;
}

/** Before and after any number, and any time that has elapsed. */
const EXTREME = 1e15;

function order(rank: number): SampleTime {
  return { scale: "order", ms: rank };
}

function elapsed(count: number, unit: string): SampleTime {
  return { scale: "elapsed", ms: count * (UNIT_MS[unit.charAt(0)] ?? 0) };
}

/** The hour of a day of 24 that a clock of twice 12 shows; `half` is the A or P of AM and PM. */
export function hourOfDay(hour: number, half: string): number {
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

/** A clock of 24 hours, or of twice 12. */
function clockTime(match: RegExpExecArray): SampleTime | undefined {
  const isHourOnly = match.length === 3;
  const [, hours, minutes, seconds, half] = isHourOnly ? [undefined, match[1], "0", "0", match[2]] : match;
  const hour = half === undefined ? Number(hours) : hourOfDay(Number(hours), half);
  if (hour > 24 || Number(minutes) > 59) return undefined;
  return { scale: "day", ms: ((hour * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000 };
}
