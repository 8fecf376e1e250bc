/**
 * `npm run cases [-- NUMBER ...] [-- --all]`: reads every dump under fixtures/cases, compares verdict, first suspect and
 * key numbers with the right reading and, without numbers, writes the table in docs/diagnosis.md. Exits 1 when a required
 * number is missing or any number under a known name is wrong.
 */
import { readFileSync, writeFileSync } from "node:fs";

import { format, resolveConfig } from "prettier";

import { readCases, type CaseResult } from "./testing/read-cases.ts";

const PAGE = "docs/diagnosis.md";
const TABLE = /(<!-- cases: begin -->\n)[\s\S]*?(<!-- cases: end -->)/;

function print(result: CaseResult, showAll: boolean): void {
  const { name, explanation, expected, faults, notGiven, verdictIsRight, suspectIsRight } = result;
  const ok = faults.length === 0 && verdictIsRight && suspectIsRight;
  console.log(
    `${ok ? "ok  " : "FAIL"} ${name}: ${explanation.verdict}; ${explanation.suspects[0] ?? "no suspect"}`,
  );
  if (!verdictIsRight) console.log(`       verdict should be ${expected.verdictFromPaste}`);
  if (!suspectIsRight) console.log(`       first suspect should be ${expected.suspects[0] ?? "none"}`);
  for (const fault of faults) console.log(`       ${fault}`);
  if (!showAll) return;
  for (const { kind, fromLine, toLine, at, label, truncated, warnings } of explanation.recognised) {
    const notes = [at, label, truncated ? "cut off" : undefined, ...warnings].filter(
      (each) => each !== undefined,
    );
    console.log(
      `       lines ${fromLine}-${toLine} ${kind}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
    );
  }
  for (const { fromLine, toLine } of explanation.unrecognised)
    console.log(`       not recognised: ${fromLine}-${toLine}`);
  for (const warning of explanation.warnings) console.log(`       ${warning}`);
  if (notGiven.length > 0) console.log(`       free-form, not given: ${notGiven.join(", ")}`);
}

function tableOf(results: readonly CaseResult[], summary: string): string {
  const mark = (right: boolean, text: string, expected: string) =>
    right ? text : `${text} (should be ${expected})`;
  const rows = results.map(
    ({ name, explanation, expected, faults, notGiven, verdictIsRight, suspectIsRight }) => {
      const given = Object.keys(expected.key_numbers).length - notGiven.length - faults.length;
      return `| ${[
        name,
        mark(verdictIsRight, explanation.verdict, expected.verdictFromPaste),
        mark(suspectIsRight, explanation.suspects[0] ?? "none", expected.suspects[0] ?? "none"),
        `${given} of ${Object.keys(expected.key_numbers).length}`,
      ].join(" | ")} |`;
    },
  );
  return [
    "",
    summary,
    "",
    "| dump | verdict | first suspect | numbers |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2).filter((each) => /^\d+$/.test(each));
  const results = readCases(wanted);
  for (const result of results) print(result, process.argv.includes("--all"));
  const required = results.reduce((sum, { expected }) => sum + expected.required_keys.length, 0);
  const faulty = results.filter(({ faults }) => faults.length > 0).length;
  const count = (right: (result: CaseResult) => boolean) => results.filter(right).length;
  const summary =
    `${results.length} dumps: the verdict is right in ${count(({ verdictIsRight }) => verdictIsRight)}, ` +
    `the first suspect in ${count(({ suspectIsRight }) => suspectIsRight)}; ` +
    `${required} required numbers, wrong or missing in ${faulty} dumps.`;
  console.log(summary);
  if (faulty > 0) process.exitCode = 1;
  if (wanted.length > 0) return;
  const page = readFileSync(PAGE, "utf8");
  const text = page.replace(
    TABLE,
    (_, begin: string, end: string) => `${begin}${tableOf(results, summary)}${end}`,
  );
  writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}

await main();
