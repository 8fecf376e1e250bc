import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import { BANDS, UNRECLAIMABLE_BANDS } from "#lib/domain/memory/bands.ts";
import type { Composition } from "#lib/domain/memory/composition.ts";

/** A part of a composition that two sides are compared by. */
export interface ComparedMetric {
  readonly key: string;
  readonly label: string;
  /** As a sentence names it. */
  readonly name: string;
  readonly pick: (composition: Composition) => number | undefined;
}

/** What a comparison is judged by. */
export const TOTAL: ComparedMetric = {
  key: DEFAULT_METRIC,
  label: "unreclaimable kernel memory",
  name: "unreclaimable kernel memory",
  pick: ({ kernelUnreclaimableKib }) => kernelUnreclaimableKib,
};

/** The total first, then the bands from top to bottom. */
export const METRICS: readonly ComparedMetric[] = [
  TOTAL,
  ...BANDS.map(({ key, label }) => ({
    key: `band.${key}`,
    label,
    name: key === "sunrecl" ? "unreclaimable slab" : key === "srecl" ? "reclaimable slab" : label,
    pick: ({ bands }: Composition) => bands[key],
  })),
];

/** Bands that a sentence may name: the parts of the total. What is no part of it cannot be where the total differs. */
export const NAMED_BANDS: ReadonlySet<string> = new Set(UNRECLAIMABLE_BANDS.map((key) => `band.${key}`));
