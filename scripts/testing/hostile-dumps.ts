import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { explainDump, type Explanation } from "#lib/domain/diagnosis/explain.ts";
import { explanationToText } from "#lib/domain/diagnosis/explanation-text.ts";
import { redactText } from "#lib/domain/redaction/redact-text.ts";
import { createRng, type Rng } from "#lib/domain/statistics/rng.ts";

const CASES = "fixtures/cases";

/** Longest text of one mutant, so that thousands are read within seconds. */
const LONGEST_SOURCE = 1600;
const MOST_CHANGES = 5;

/** Every real dump, every kernel file of the trees and every malformed one, as text; the dumps three times, as they say most. */
export function readSources(): readonly string[] {
  const files = [CASES, CASES, CASES, "fixtures/trees", "fixtures/malformed"].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => path.join(root, name))
      .filter((file) => !file.endsWith(".json") && statSync(file).isFile()),
  );
  const texts = files.map((file) => readFileSync(file, "utf8")).filter((text) => text.trim() !== "");
  if (texts.length < 100) throw new Error(`only ${texts.length} sources under fixtures`);
  return texts;
}

const ODD = [
  "\u0000",
  "\uFEFF",
  "\u2028",
  "\u00A0",
  "\u202E",
  "\uD800",
  "\u001B[2J",
  "\r",
  "=C2=A0=3D\n",
  "&lt;",
  "```",
  "{code}",
  "é",
  "-",
  "%",
  ":",
  "(",
  '"',
];
const NUMBERS = [
  "0",
  "-1",
  "1e309",
  "9007199254740993",
  "18446744073709551615",
  "9".repeat(60),
  "0.0",
  "1,234,567",
  "1.234.567",
  "NaN",
  "0x7f",
  "",
  "12",
];
const PREFIXES = [
  "> ",
  ">> > ",
  "| ",
  "Nov 30 04:15:00 node kernel: ",
  "[ 1234.567890] ",
  "  ",
  "1: ",
  "<6>",
  "- ",
];

type Change = (text: string, rng: Rng, sources: readonly string[]) => string;

function pick<T>(rng: Rng, all: readonly T[]): T {
  const one = all[rng.integer(all.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}

const changeLines =
  (change: (lines: string[], rng: Rng) => string[]): Change =>
  (text, rng) =>
    change(text.split("\n"), rng).join("\n");

const CHANGES: readonly Change[] = [
  // Cut at the end, at the begin, in the middle.
  (text, rng) => text.slice(0, rng.integer(text.length + 1)),
  (text, rng) => text.slice(rng.integer(text.length + 1)),
  (text, rng) => {
    const from = rng.integer(text.length + 1);
    return text.slice(0, from) + text.slice(from + rng.integer(80));
  },
  changeLines((lines, rng) => lines.filter(() => rng.uniform() > 0.15)),
  changeLines((lines, rng) => lines.flatMap((line) => (rng.uniform() < 0.1 ? [line, line] : [line]))),
  changeLines((lines, rng) => {
    const from = rng.integer(lines.length);
    const [moved = ""] = lines.splice(from, 1);
    lines.splice(rng.integer(lines.length + 1), 0, moved);
    return lines;
  }),
  changeLines((lines, rng) => {
    const line = pick(rng, lines).slice(0, 100);
    return [...lines, ...Array.from({ length: 1 + rng.integer(30) }, () => line)];
  }),
  changeLines((lines, rng) => {
    const prefix = pick(rng, PREFIXES);
    return lines.map((line) => prefix + line);
  }),
  changeLines((lines, rng) => {
    const at = rng.integer(lines.length);
    return [...lines.slice(0, at), lines.slice(at, at + 3).join(" "), ...lines.slice(at + 3)];
  }),
  (text, rng) => {
    const at = rng.integer(text.length + 1);
    return text.slice(0, at) + pick(rng, ODD) + text.slice(at);
  },
  (text, rng) => text.replace(/\d+/g, (digits) => (rng.uniform() < 0.08 ? pick(rng, NUMBERS) : digits)),
  (text, rng) => text.replace(/[A-Za-z]+/g, (word) => (rng.uniform() < 0.03 ? "" : word)),
  (text, rng) => text.replaceAll(" ", pick(rng, ["\t", "\u00A0", "  ", ""])),
  (text) => text.replaceAll("\n", "\r\n"),
  (text, rng) => text.replaceAll(pick(rng, [":", "kB", "|", "(", "<"]), pick(rng, ODD)),
  (text, rng) => (rng.uniform() < 0.5 ? text.toLowerCase() : text.toUpperCase()),
  // Two texts run into each other, or alternate by line.
  (text, rng, sources) => `${text}${windowOf(pick(rng, sources), rng, 600)}`,
  (text, rng, sources) => {
    const other = windowOf(pick(rng, sources), rng, 600).split("\n");
    return text
      .split("\n")
      .flatMap((line, index) => [line, other[index] ?? ""])
      .join("\n");
  },
];

function windowOf(text: string, rng: Rng, length: number): string {
  if (text.length <= length || rng.uniform() < 0.3) return text.slice(0, length);
  const from = rng.integer(text.length - length);
  return text.slice(from, from + length);
}

/** The text that belongs to a seed: a piece of a real one, changed a few times. The same seed gives the same text. */
export function hostileDump(seed: number, sources: readonly string[]): string {
  const rng = createRng(seed);
  let text = windowOf(pick(rng, sources), rng, 200 + rng.integer(LONGEST_SOURCE));
  const changes = 1 + rng.integer(MOST_CHANGES);
  for (let count = 0; count < changes; count += 1)
    text = pick(rng, CHANGES)(text, rng, sources).slice(0, 2 * LONGEST_SOURCE);
  return text;
}

/** What came of reading a hostile text. */
export interface HostileOutcome {
  /** What is wrong with the reading; whatever the reader throws is a fault too. Empty where nothing is. */
  readonly faults: readonly string[];
  /** How many things were recognised. */
  readonly recognised: number;
}

/** Reads one text as page and terminal do, and checks what must hold of any reading. */
export function readHostile(text: string): HostileOutcome {
  try {
    const explanation = explainDump(text);
    const faults = faultsOfReading(explanation, text.split(/\r\n?|\n/).length);
    const printed = explanationToText(explanation);
    if (/\bNaN\b|\bundefined\b|Infinity/.test(withoutPasted(printed, text)))
      faults.push("prints what is no number");
    if (redactText(text).text.split("\n").length !== text.split("\n").length)
      faults.push("redaction adds lines");
    return { faults, recognised: explanation.recognised.length };
  } catch (error) {
    const fault = `throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return { faults: [fault], recognised: 0 };
  }
}

/** Labels are the paste's own words; a paste may well say NaN. */
function withoutPasted(printed: string, text: string): string {
  return /NaN|undefined|Infinity/i.test(text) ? "" : printed;
}

function faultsOfReading(explanation: Explanation, lineCount: number): string[] {
  const faults: string[] = [];
  for (const [name, value] of Object.entries(explanation.keyNumbers))
    if (!Number.isFinite(value)) faults.push(`${name} is ${value}`);
  const ranges = [...explanation.recognised, ...explanation.unrecognised];
  for (const { fromLine, toLine } of ranges)
    if (!(fromLine >= 1 && fromLine <= toLine && toLine <= lineCount))
      faults.push(`lines ${fromLine}-${toLine} of ${lineCount}`);
  const { composition, usedMemory } = explanation;
  if (composition !== undefined) {
    const sum = composition.bands.reduce((total, { kib }) => total + kib, 0);
    const largest = Math.max(...composition.bands.map(({ kib }) => Math.abs(kib)));
    if (!(Math.abs(sum - composition.totalKib) <= 1e-9 * largest + 1))
      faults.push(`bands add up to ${sum}, not ${composition.totalKib}`);
  }
  for (const { key, usedKib } of usedMemory?.views ?? [])
    if (usedKib !== undefined && !Number.isFinite(usedKib)) faults.push(`used of ${key} is ${usedKib}`);
  for (const { signature, score } of explanation.findings)
    if (!Number.isFinite(score)) faults.push(`score of ${signature} is ${score}`);
  if (explanation.verdict === "leak" && explanation.findings.length === 0)
    faults.push("a leak without a finding");
  return faults;
}
