import { compositionRecord } from "#lib/domain/diagnosis/explain.ts";
import { reportedBands } from "#lib/domain/memory/composition.ts";
import { describeNote } from "#lib/domain/memory/composition-notes.ts";
import type { DumpReading } from "#lib/domain/dumps/read-dump.ts";

/** A reading as JSON: maps as objects, what is absent left out. Numbers are KiB unless the name says otherwise. */
export function readingToJson(reading: DumpReading): string {
  const { composition } = reading;
  const record = {
    recognised: reading.recognised,
    keyNumbers: Object.fromEntries(reading.keyNumbers),
    composition: composition === undefined ? undefined : compositionRecord(composition),
    kernelRelease: reading.kernelRelease,
    unrecognised: reading.unrecognised,
    warnings: reading.warnings,
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** The caches and callers that hold most are enough to read; JSON has them all. */
const MOST_OF_A_GROUP = 10;

/** A reading for a person at a terminal: what was recognised, the composition, the key numbers. */
export function readingToText(reading: DumpReading): string {
  const lines: string[] = [];
  for (const { kind, fromLine, toLine, at, label, truncated, warnings } of reading.recognised) {
    const details = [label, at, truncated ? "cut off" : undefined].filter((each) => each !== undefined);
    lines.push(`lines ${fromLine}-${toLine}: ${kind}${details.length > 0 ? ` (${details.join(", ")})` : ""}`);
    for (const warning of warnings) lines.push(`  ${warning}`);
  }
  for (const { fromLine, toLine } of reading.unrecognised)
    lines.push(`lines ${fromLine}-${toLine}: not recognised`);
  for (const warning of reading.warnings) lines.push(warning);
  if (reading.composition !== undefined) lines.push("", ...compositionLines(reading.composition));
  if (reading.keyNumbers.size > 0) lines.push("", ...numberLines(reading.keyNumbers));
  return `${lines.join("\n")}\n`;
}

function compositionLines(composition: NonNullable<DumpReading["composition"]>): readonly string[] {
  const { totalKib, notes } = composition;
  const rows = reportedBands(composition).map(({ label, kib }) => {
    const share = ((100 * kib) / totalKib).toFixed(1);
    return `${label.padEnd(22)}${kib.toFixed(0).padStart(14)} KiB${share.padStart(8)} %`;
  });
  return [
    ...rows,
    `${"MemTotal".padEnd(22)}${totalKib.toFixed(0).padStart(14)} KiB`,
    ...notes.map(describeNote),
  ];
}

function numberLines(numbers: ReadonlyMap<string, number>): readonly string[] {
  const groups = new Map<string, [string, number][]>();
  for (const [name, value] of numbers) {
    const group = /^(slab|vmalloc|spl):/.exec(name)?.[0] ?? "";
    const own = groups.get(group);
    if (own) own.push([name, value]);
    else groups.set(group, [[name, value]]);
  }
  return [...groups].flatMap(([group, own]) => {
    const shown = group === "" ? own : own.sort((a, b) => b[1] - a[1]).slice(0, MOST_OF_A_GROUP);
    const rest = own.length - shown.length;
    const rows = shown.map(([name, value]) => {
      const unit = /_(count|percent|bytes)$/.exec(name)?.[1] ?? "KiB";
      return `${name.padEnd(40)}${String(Math.round(value * 10) / 10).padStart(16)} ${unit === "count" ? "" : unit}`.trimEnd();
    });
    return rest > 0 ? [...rows, `... and ${rest} smaller ones of ${group}`] : rows;
  });
}
