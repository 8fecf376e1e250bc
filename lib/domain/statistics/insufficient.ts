/**
 * The "cannot say" result: a statistic that the data at hand cannot support. It says what is missing, so that a page
 * can name the next step instead of showing a zero or a NaN.
 */
export interface Insufficient {
  readonly kind: "insufficient";
  /** What is missing, as words that can stand in a sentence: "points outside the first 2 h after a boot". */
  readonly reason: string;
  /** Least amount that would do, in the unit that `reason` names. */
  readonly needed: number;
  /** Amount at hand, same unit. */
  readonly had: number;
}

/** Builds an {@link Insufficient}. */
export function insufficient(reason: string, needed: number, had: number): Insufficient {
  return { kind: "insufficient", reason, needed, had };
}

/** Tells an {@link Insufficient} from any other result. */
export function isInsufficient(result: unknown): result is Insufficient {
  return typeof result === "object" && result !== null && "kind" in result && result.kind === "insufficient";
}
