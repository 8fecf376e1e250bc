import type { Explanation } from "#lib/domain/diagnosis/explain.ts";
import type { ComposedSample } from "#lib/domain/diagnosis/read-paste.ts";
import { BANDS } from "#lib/domain/memory/bands.ts";
import type { BandKey } from "#lib/domain/memory/bands.ts";
import { DASH, formatKib, formatKibChange, formatNumber, formatShare } from "./format.ts";
import type { VerdictText } from "./verdict.ts";

type Record = NonNullable<Explanation["composition"]>;

const VERDICTS: { readonly [Verdict in Explanation["verdict"]]: VerdictText } = {
  leak: { word: "leak", tone: "leaking" },
  "not-a-leak": { word: "not a leak", tone: "flat" },
  unclear: { word: "unclear", tone: "unknown" },
};

/** Word and colour of a dump's verdict. */
export function dumpVerdictText(verdict: Explanation["verdict"]): VerdictText {
  return VERDICTS[verdict];
}

/** The reading in one sentence: verdict, what holds the memory and how much, and the signature that fits best. */
export function dumpAnswer({ verdict, holders, findings, recognised }: Explanation): string {
  if (recognised.length === 0) return "Nothing in this text was recognised.";
  const [first] = holders;
  const amount = first?.kib === undefined ? "" : `, ${formatKib(first.kib)}`;
  const finding = findings.find(
    ({ severity, signature }) => severity === "warning" && signature !== "unknown",
  );
  const named = finding ? ` ${finding.signature} fits (${finding.certainty}): ${finding.name}.` : "";
  if (verdict === "leak") return `A leak: ${first?.name ?? "the kernel"}${amount}.${named}`;
  if (verdict === "unclear")
    return first === undefined
      ? `Unclear: too little is known.${named}`
      : `Unclear. Most suspected: ${first.name}${amount}.${named}`;
  return first === undefined
    ? "Not a leak: nothing is out of the ordinary."
    : `Not a leak: ${first.name}${amount}.${named}`;
}

/** One band of a composition, ready for a row. */
export interface BandRow {
  readonly key: BandKey;
  readonly label: string;
  readonly kib: string;
  readonly size: string;
  readonly share: string;
  /** Part of the bar, 0 to 1; nothing for what is below zero. */
  readonly part: number;
}

/** Rows of a composition from the top of the stack; bands that the text does not report are left out. */
export function bandRows({ bands, totalKib }: Record): readonly BandRow[] {
  const byKey = new Map(bands.map((band) => [band.key, band.kib]));
  const whole = bands.reduce((sum, { kib }) => sum + Math.max(0, kib), 0);
  return BANDS.flatMap(({ key, label }) => {
    const kib = byKey.get(key);
    if (kib === undefined) return [];
    const part = whole > 0 ? Math.max(0, kib) / whole : 0;
    return [
      {
        key,
        label,
        kib: formatNumber(kib),
        size: formatKib(kib),
        share: formatShare(kib / Math.max(1, totalKib)),
        part,
      },
    ];
  });
}

/** One band in two compositions. */
export interface DifferenceRow {
  readonly key: BandKey;
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly change: string;
  /** One of the largest changes, which together are four fifths of all. */
  readonly large: boolean;
}

/** The last row of a difference: all memory. */
export function totalRow(before: Record, after: Record): Pick<DifferenceRow, "before" | "after" | "change"> {
  const change = after.totalKib - before.totalKib;
  return {
    before: formatKib(before.totalKib),
    after: formatKib(after.totalKib),
    change: change === 0 ? "0" : formatKibChange(change),
  };
}

/** The difference of two compositions by band; the changes add up to that of MemTotal. */
export function differenceRows(before: Record, after: Record): readonly DifferenceRow[] {
  const rows = BANDS.flatMap(({ key, label }) => {
    const first = before.bands.find((band) => band.key === key)?.kib;
    const last = after.bands.find((band) => band.key === key)?.kib;
    return first === undefined && last === undefined ? [] : [{ key, label, first, last }];
  });
  const changeOf = ({ first, last }: (typeof rows)[number]) =>
    first === undefined || last === undefined ? undefined : last - first;
  const sizes = rows.map((row) => Math.abs(changeOf(row) ?? 0));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const large = new Set<number>();
  let covered = 0;
  for (const [index, size] of [...sizes.entries()].sort((a, b) => b[1] - a[1])) {
    if (covered >= 0.8 * all || size === 0) break;
    covered += size;
    large.add(index);
  }
  return rows.map((row, index) => {
    const change = changeOf(row);
    return {
      key: row.key,
      label: row.label,
      before: row.first === undefined ? "not reported" : formatKib(row.first),
      after: row.last === undefined ? "not reported" : formatKib(row.last),
      change: change === undefined ? DASH : change === 0 ? "0" : formatKibChange(change),
      large: large.has(index),
    };
  });
}

/** A column of the chart of samples: edges as parts of the height, from its lower end. */
export interface SampleColumn {
  readonly name: string;
  readonly parts: readonly { readonly key: BandKey; readonly from: number; readonly to: number }[];
}

export interface SampleColumns {
  readonly columns: readonly SampleColumn[];
  /** Where zero lies, as part of the height. */
  readonly zero: number;
  readonly top: string;
  readonly description: string;
}

/** Bands that can be taken back or are the processes' own: left out where only the kernel's growth is looked at. */
const NOT_KERNEL: ReadonlySet<string> = new Set<BandKey>(["free", "pcp", "file", "buffers", "anon"]);

/** Bands that are neither, in a composition: what a difference of two dumps is looked at for. */
export function kernelBands({ bands }: Record): Record["bands"] {
  return bands.filter(({ key }) => !NOT_KERNEL.has(key));
}

/** Several samples as columns of one scale; `kernelOnly` leaves out free memory, page cache and processes, so that growth shows. */
export function sampleColumns(samples: readonly ComposedSample[], kernelOnly: boolean): SampleColumns {
  const stacks = samples.map(({ name, composition }) => {
    const byKey = new Map(composition.bands.map((band) => [band.key, band.kib]));
    let up = 0;
    let down = 0;
    const parts = [...BANDS].reverse().flatMap(({ key }) => {
      const kib = byKey.get(key) ?? 0;
      if (kib === 0 || (kernelOnly && NOT_KERNEL.has(key))) return [];
      const from = kib > 0 ? up : down + kib;
      if (kib > 0) up += kib;
      else down += kib;
      return [{ key, from, to: from + Math.abs(kib) }];
    });
    return { name, parts, up, down };
  });
  const top = Math.max(1, ...stacks.map(({ up }) => up));
  const bottom = Math.min(0, ...stacks.map(({ down }) => down));
  const scale = (kib: number) => (kib - bottom) / (top - bottom);
  const first = stacks[0];
  const last = stacks.at(-1);
  return {
    columns: stacks.map(({ name, parts }) => ({
      name,
      parts: parts.map(({ key, from, to }) => ({ key, from: scale(from), to: scale(to) })),
    })),
    zero: scale(0),
    top: formatKib(top),
    description:
      first && last
        ? `${stacks.length} samples; ${kernelOnly ? "kernel, tmpfs and huge pages" : "all memory"} from ${formatKib(first.up + first.down)} (${first.name}) to ${formatKib(last.up + last.down)} (${last.name})`
        : "no samples",
  };
}

/** A key number with its unit, by the ending of its name. */
export function keyNumberText(name: string, value: number): string {
  const about = name.includes("_approx") ? "≈ " : "";
  if (name.endsWith("_count")) return `${about}${formatNumber(value)}`;
  if (name.endsWith("_percent")) return `${about}${formatNumber(value, 1)} %`;
  if (name.endsWith("_bytes")) return `${about}${formatNumber(value)} bytes`;
  return `${about}${formatNumber(value)} KiB`;
}
