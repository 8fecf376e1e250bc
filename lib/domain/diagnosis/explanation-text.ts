import type { BandKey } from "../memory/bands.ts";
import { formatCount, formatMemory, formatNumber } from "../memory/quantity.ts";
import type { UsedMemory } from "../memory/who-is-right.ts";
import type { CompositionRecord, Explanation } from "./explain.ts";

const WIDTH = 64;
const MOST_POSSIBLE = 6;

/** One character for each band of the bar. */
const MARKS: Readonly<Record<BandKey, string>> = {
  free: ".",
  pcp: ",",
  file: "c",
  buffers: "b",
  shmem: "s",
  anon: "a",
  srecl: "r",
  sunrecl: "U",
  kstack: "k",
  ptables: "p",
  percpu: "P",
  vmalloc: "v",
  hugetlb: "h",
  other: "o",
  unacc: "?",
};

const VERDICTS = {
  leak: "LEAK: what was read shows it",
  "not-a-leak": "not a leak",
  unclear: "unclear: what was read does not decide it",
} as const;

/** An explanation as plain text: what `explain` prints, and what the page copies. */
export function explanationToText(explanation: Explanation): string {
  const { verdict, holders, findings, possible, composition, keyNumbers, recognised } = explanation;
  const lines: string[] = [`Verdict: ${VERDICTS[verdict]}`];
  if (explanation.kernelRelease !== undefined) lines.push(`Kernel: ${explanation.kernelRelease}`);
  if (composition !== undefined) lines.push("", ...compositionLines(composition));
  if (holders.length > 0) {
    lines.push("", verdict === "not-a-leak" ? "What holds the memory:" : "Suspects, the most likely first:");
    holders.forEach(({ name, reason }, place) => lines.push(`  ${place + 1}. ${name}: ${reason}`));
  } else if (verdict === "not-a-leak") lines.push("", "Nothing is out of the ordinary.");
  for (const finding of findings) lines.push("", ...findingLines(finding));
  if (!findings.some(({ severity }) => severity === "warning") && possible.length > 0) {
    lines.push("", "No known leak is shown. What grows may be one of these; not known is:");
    for (const { signature, name, missing } of possible.slice(0, MOST_POSSIBLE))
      lines.push(`  ${signature} ${name}: ${missing.slice(0, 3).join("; ")}`);
    if (possible.length > MOST_POSSIBLE) lines.push(`  ... and ${possible.length - MOST_POSSIBLE} more`);
  }
  if (explanation.usedMemory !== undefined) lines.push("", ...usedLines(explanation.usedMemory));
  if (explanation.askNext !== undefined) lines.push("", `Look at next: ${explanation.askNext}`);
  const kinds = [...new Set(recognised.map(({ kind }) => kind))];
  lines.push(
    "",
    `Read: ${kinds.length === 0 ? "nothing that is known" : kinds.join(", ")}; ${formatCount(Object.keys(keyNumbers).length, "number")}`,
  );
  const notes = [...new Set([...recognised.flatMap(({ warnings }) => warnings), ...explanation.warnings])];
  for (const note of notes) lines.push(`  ${note}`);
  if (explanation.unrecognised.length > 0) lines.push(notUnderstood(explanation.unrecognised));
  return `${lines.join("\n")}\n`;
}

const MOST_RANGES = 8;

/** Which lines were passed over: numbers in them were not read. */
function notUnderstood(ranges: Explanation["unrecognised"]): string {
  const named = ranges
    .slice(0, MOST_RANGES)
    .map(({ fromLine, toLine }) => (fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`));
  const more = ranges.length > MOST_RANGES ? ` and ${ranges.length - MOST_RANGES} more ranges` : "";
  const isOne = ranges.length === 1 && ranges[0]?.fromLine === ranges[0]?.toLine;
  return `Not understood: ${isOne ? "line" : "lines"} ${named.join(", ")}${more}`;
}

function compositionLines({ totalKib, bands, notes }: CompositionRecord): readonly string[] {
  const rows = bands
    .filter(({ kib }) => Math.abs(kib) >= 0.001 * totalKib)
    .sort((a, b) => b.kib - a.kib)
    .map(
      ({ key, label, kib }) =>
        `  ${MARKS[key as BandKey]} ${label.padEnd(22)}${formatMemory(kib).padStart(10)}${`${formatNumber((100 * kib) / totalKib, 1)} %`.padStart(9)}`,
    );
  return [
    `Memory: ${formatMemory(totalKib)}`,
    `  [${barOf(bands, totalKib)}]`,
    ...rows,
    ...notes.map((note) => `  ${note}`),
  ];
}

/** As many characters as the width for all memory; a band ends where the sum of those before it and itself ends. */
function barOf(bands: CompositionRecord["bands"], totalKib: number): string {
  let bar = "";
  let sum = 0;
  for (const { key, kib } of bands) {
    sum += Math.max(0, kib);
    const end = Math.min(WIDTH, Math.round((sum / totalKib) * WIDTH));
    bar += MARKS[key as BandKey].repeat(Math.max(0, end - bar.length));
  }
  return bar.padEnd(WIDTH);
}

/** Who calls how much used, and how much of the kernel's own memory that leaves out. */
function usedLines({ kernelKib, views }: UsedMemory): readonly string[] {
  const width = Math.max(...views.map(({ who }) => who.length)) + 2;
  return [
    `What others call used (the kernel itself holds ${formatMemory(kernelKib)}):`,
    ...views.map(({ who, usedKib, missing, kernelLeftOutKib, applies, approximate }) => {
      const amount =
        usedKib === undefined
          ? `not known: no ${missing.join(", ")}`
          : `${approximate ? "about " : ""}${formatMemory(usedKib)}`.padStart(16);
      const hidden =
        kernelLeftOutKib === undefined
          ? "what it leaves out of the kernel is not known"
          : kernelLeftOutKib > 0
            ? `leaves out ${formatMemory(kernelLeftOutKib)} of the kernel`
            : "leaves out none of the kernel";
      return `  ${who.padEnd(width)}${amount}  ${hidden}${applies === false ? "; not this machine's cgroup mode" : ""}`;
    }),
  ];
}

function findingLines(finding: Explanation["findings"][number]): readonly string[] {
  const share =
    finding.explainedShare === undefined
      ? ""
      : `, explains ${formatNumber(100 * finding.explainedShare, 0)} %`;
  return [
    `${finding.signature} ${finding.name} [${finding.severity}, ${finding.certainty}${share}]`,
    `  ${finding.what}`,
    ...finding.evidence.map(({ text }) => `  + ${text}`),
    ...finding.counterEvidence.map(({ text }) => `  - ${text}`),
    ...(finding.missing.length > 0 ? [`  ? not known: ${finding.missing.slice(0, 5).join("; ")}`] : []),
    `  check:    ${finding.confirm.command}`,
    `            ${finding.confirm.reading}`,
    `  now:      ${finding.mitigate}`,
    `  for good: ${finding.fix}`,
    ...(finding.sources.length > 0 ? [`  sources:  ${finding.sources.join(", ")}`] : []),
  ];
}
