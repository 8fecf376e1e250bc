import { isInsufficient, type Insufficient } from "#lib/domain/statistics/insufficient.ts";
import { tUpperTail } from "#lib/domain/statistics/t-distribution.ts";
import type { Contrast, DifferenceInsufficient, MetricDifference } from "./compare.ts";
import { lackingText } from "./lacking-text.ts";
import { sentenceStart } from "./metric-words.ts";
import { formatEstimate, growthUnit, memoryUnit, type EstimateText } from "../memory/quantity.ts";

/** A metric by the name that a sentence uses, and how it differs. */
export interface NamedDifference {
  /** "unreclaimable slab". */
  readonly name: string;
  readonly result: MetricDifference | DifferenceInsufficient | Insufficient;
}

/** What two sides were aligned at. */
export type Alignment = "time" | "boot" | "mark";

const PREFIX: Readonly<Record<Alignment, string>> = {
  time: "",
  boot: "Since boot, ",
  mark: "After the mark, ",
};

/** Level at which a band is named; divided by the number of bands, because the largest of many is picked. */
const NAMED_LEVEL = 0.05;

/**
 * The comparison in a sentence or two: growth first, then the part that differs most clearly, then the level. A part is named
 * only where its difference of slope is certain beside all others (Bonferroni), and goes the way of the total where that one
 * is certain.
 *
 * @param total unreclaimable kernel memory. @param parts the bands that it is the sum of.
 * @example "Side B grows 210 MiB/h (95 %: 180–240) more than side A in unreclaimable kernel memory, most clearly in
 * unreclaimable slab: 150 MiB/h (130–170) more. Side B's mean level is 1.20 GiB (1.10–1.30) higher."
 */
export function compareSentence(
  total: NamedDifference,
  parts: readonly NamedDifference[],
  alignment: Alignment,
): string {
  const { result } = total;
  if (isInsufficient(result)) return insufficientSentence(result);
  const { slopePerHour: slope, level } = result;
  const prefix = PREFIX[alignment];
  const start = prefix === "" ? "Side B" : `${prefix}side B`;
  const certain = certainParts(parts);
  if (holdsZero(slope)) {
    const none = `${prefix === "" ? "No" : `${prefix}no`} difference in the growth of ${total.name} can be told: ${signedText(slope, "slope")}.`;
    const [part] = certain;
    const other =
      part === undefined ? "" : ` ${sentenceStart(part.name)} grows ${partText(part.slope)} on side B.`;
    return `${none}${other} ${levelClause(level)}`;
  }
  const part = certain.find((each) => word(each.slope) === word(slope));
  const where = part === undefined ? "" : `, most clearly in ${part.name}: ${partText(part.slope)}`;
  const { value, interval, unit } = sizeText(slope, "slope");
  return `${start} grows ${value} ${unit} (95 %: ${interval}) ${word(slope)} than side A in ${total.name}${where}. ${levelClause(level)}`;
}

/** Why nothing can be said, and what there was. */
function insufficientSentence(result: Insufficient | DifferenceInsufficient): string {
  const side = "side" in result ? ` on side ${result.side.toUpperCase()}` : "";
  return `Cannot compare: ${lackingText(result, side)}.`;
}

function levelClause(level: Contrast): string {
  if (holdsZero(level)) return `No difference of mean level can be told: ${signedText(level, "level")}.`;
  const { value, interval, unit } = sizeText(level, "level");
  return `Side B's mean level is ${value} ${unit} (${interval}) ${level.value > 0 ? "higher" : "lower"}.`;
}

function holdsZero({ ci95, value }: Contrast): boolean {
  return (ci95[0] <= 0 && ci95[1] >= 0) || value === 0;
}

function word({ value }: Contrast): "more" | "less" {
  return value > 0 ? "more" : "less";
}

function unitOf(kind: "slope" | "level", value: number) {
  return kind === "slope" ? growthUnit(value) : memoryUnit(value);
}

/** Size without a sign: the words around it say which way. */
function sizeText({ value, ci95 }: Contrast, kind: "slope" | "level"): EstimateText {
  const [low, high] = value < 0 ? [-ci95[1], -ci95[0]] : ci95;
  return formatEstimate(Math.abs(value), [low, high], unitOf(kind, value));
}

function partText(slope: Contrast): string {
  const { value, interval, unit } = sizeText(slope, "slope");
  return `${value} ${unit} (${interval}) ${word(slope)}`;
}

function signedText({ value, ci95 }: Contrast, kind: "slope" | "level"): string {
  const largest = Math.max(Math.abs(value), Math.abs(ci95[0]), Math.abs(ci95[1]));
  const text = formatEstimate(value, ci95, unitOf(kind, largest), { signed: true });
  return `${text.value} ${text.unit} (95 %: ${text.interval})`;
}

/** The parts whose difference of slope is certain beside all others, the largest t first. */
function certainParts(parts: readonly NamedDifference[]): { name: string; slope: Contrast }[] {
  const known = parts.flatMap(({ name, result }) =>
    isInsufficient(result) ? [] : [{ name, slope: result.slopePerHour, t: tOf(result.slopePerHour) }],
  );
  return known
    .filter(({ slope, t }) =>
      Number.isFinite(t) ? 2 * tUpperTail(t, slope.degreesOfFreedom) < NAMED_LEVEL / known.length : true,
    )
    .sort((x, y) => y.t - x.t || Math.abs(y.slope.value) - Math.abs(x.slope.value));
}

/** Student's t without its sign. Of an exact fit it is infinite, or 0 where nothing differs. */
function tOf({ value, standardError }: Contrast): number {
  return value === 0 ? 0 : Math.abs(value) / standardError;
}
