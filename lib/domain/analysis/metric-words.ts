import type { DisplayUnit } from "../memory/quantity.ts";
import { countGrowthUnit, formatMemory, formatNumber, growthUnit } from "../memory/quantity.ts";

/** How a metric is spoken of in a sentence. */
export interface MetricWords {
  /** Noun that can begin a sentence: "unreclaimable kernel memory". Singular. */
  readonly name: string;
  /** What its values count: KiB, or things such as "files". */
  readonly unit: "KiB" | (string & {});
}

/** Unit for slopes of this metric, by the largest of them. */
export function slopeUnit({ unit }: MetricWords, perHour: number): DisplayUnit {
  return unit === "KiB" ? growthUnit(perHour) : countGrowthUnit(unit);
}

/** An amount of this metric, without a sign: "6.1 GiB", "1,204 files". */
export function amountText({ unit }: MetricWords, value: number): string {
  const size = Math.abs(value);
  return unit === "KiB" ? formatMemory(size) : `${formatNumber(size, 0)} ${unit}`;
}

/** First letter in upper case, for the start of a sentence. */
export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
