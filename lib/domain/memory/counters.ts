/** One reading of a counter that only rises while its node runs. */
export interface CounterSample {
  readonly atMs: number;
  /** Boot that the reading belongs to; without it no difference is taken. */
  readonly bootId: string | undefined;
  readonly value: number | null | undefined;
}

/** How far a counter rose between two readings of one boot. */
export interface CounterDelta {
  readonly increase: number;
  readonly elapsedMs: number;
  readonly perHour: number;
}

const HOUR_MS = 3_600_000;

/**
 * The rise from one reading to a later one of the same boot.
 *
 * `undefined`, never a number, when the boot differs or is not known, a value is missing, no time has passed, or the
 * counter fell: then it was reset (a runtime restarted, a module was loaded again), and what it lost is not known.
 */
export function counterDelta(previous: CounterSample, current: CounterSample): CounterDelta | undefined {
  if (previous.bootId === undefined || previous.bootId !== current.bootId) return undefined;
  if (!isReading(previous.value) || !isReading(current.value)) return undefined;
  const elapsedMs = current.atMs - previous.atMs;
  const increase = current.value - previous.value;
  if (!(elapsedMs > 0) || increase < 0) return undefined;
  return { increase, elapsedMs, perHour: (increase / elapsedMs) * HOUR_MS };
}

/**
 * The rise over a run of readings in the order of time: the sum of the steps that `counterDelta` accepts, over the
 * time that these steps cover. Missing values are stepped over within a boot. `undefined` when there is no such step.
 */
export function counterIncrease(samples: readonly CounterSample[]): CounterDelta | undefined {
  let increase = 0;
  let elapsedMs = 0;
  let previous: CounterSample | undefined;
  for (const sample of samples) {
    if (!isReading(sample.value)) continue;
    const step = previous === undefined ? undefined : counterDelta(previous, sample);
    if (step !== undefined) {
      increase += step.increase;
      elapsedMs += step.elapsedMs;
    }
    previous = sample;
  }
  return elapsedMs === 0 ? undefined : { increase, elapsedMs, perHour: (increase / elapsedMs) * HOUR_MS };
}

function isReading(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
