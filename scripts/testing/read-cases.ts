import { readdirSync, readFileSync } from "node:fs";

import { explainDump, type Explanation } from "../../lib/domain/diagnosis/explain.ts";

const ROOT = "fixtures/cases";

/** One real dump beside its right reading. */
export interface CaseResult {
  readonly name: string;
  readonly explanation: Explanation;
  readonly expected: {
    readonly verdictFromPaste: string;
    readonly suspects: readonly string[];
    readonly key_numbers: Readonly<Record<string, number>>;
    readonly required_keys: readonly string[];
  };
  readonly verdictIsRight: boolean;
  readonly suspectIsRight: boolean;
  /** What is wrong or missing among the numbers. */
  readonly faults: readonly string[];
  /** Numbers that a reading need not give and this one does not. */
  readonly notGiven: readonly string[];
}

/** Reads all dumps under fixtures/cases, or those whose numbers are given. */
export function readCases(wanted: readonly string[] = []): readonly CaseResult[] {
  return readdirSync(ROOT)
    .sort()
    .filter((name) => /^\d/.test(name) && (wanted.length === 0 || wanted.includes(name.slice(0, 3))))
    .map(readCase);
}

function readCase(name: string): CaseResult {
  const { expected } = JSON.parse(readFileSync(`${ROOT}/${name}/case.json`, "utf8")) as {
    expected: CaseResult["expected"];
  };
  const explanation = explainDump(readFileSync(`${ROOT}/${name}/input.txt`, "utf8"));
  const faults: string[] = [];
  const notGiven: string[] = [];
  for (const [key, value] of Object.entries(expected.key_numbers)) {
    const actual = explanation.keyNumbers[key];
    if (actual === undefined)
      (expected.required_keys.includes(key) ? faults : notGiven).push(`${key} missing (${value})`);
    else if (!isClose(key, actual, value)) faults.push(`${key} is ${actual}, not ${value}`);
  }
  return {
    name,
    explanation,
    expected,
    verdictIsRight: explanation.verdict === expected.verdictFromPaste,
    suspectIsRight: withoutRemark(explanation.suspects[0]) === withoutRemark(expected.suspects[0]),
    faults,
    notGiven,
  };
}

/** Numbers are right to a KiB; counts to the unit; what was printed rounded (`_approx`) to 2 %. */
function isClose(name: string, actual: number, expected: number): boolean {
  const tolerance = name.includes("_approx") ? 0.02 * Math.abs(expected) : name.endsWith("_count") ? 0 : 1;
  return Math.abs(actual - expected) <= tolerance;
}

/** A suspect without what explains it in brackets. */
function withoutRemark(name: string | undefined): string | undefined {
  return name?.replace(/ \(.*$/, "");
}
