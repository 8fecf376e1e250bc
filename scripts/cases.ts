/**
 * `npm run cases [-- NUMBER ...] [-- --all]`: reads every dump under fixtures/cases and compares the key numbers with
 * the right reading. Exits 1 when a required number is missing or any number under a known name is wrong.
 */
import { readdirSync, readFileSync } from "node:fs";

import { readDump } from "../lib/domain/dumps/read-dump.ts";

interface Case {
  expected: { key_numbers: Record<string, number>; required_keys: string[] };
}

const ROOT = "fixtures/cases";

/** Numbers are right to a KiB; counts to the unit; what was printed rounded (`_approx`) to 2 %. */
function isClose(name: string, actual: number, expected: number): boolean {
  const tolerance = name.includes("_approx") ? 0.02 * Math.abs(expected) : name.endsWith("_count") ? 0 : 1;
  return Math.abs(actual - expected) <= tolerance;
}

const wanted = process.argv.slice(2).filter((each) => /^\d+$/.test(each));
const showAll = process.argv.includes("--all");
let failed = 0;
let requiredCount = 0;
let othersFound = 0;
let othersCount = 0;
for (const folder of readdirSync(ROOT).sort()) {
  if (!/^\d/.test(folder) || (wanted.length > 0 && !wanted.includes(folder.slice(0, 3)))) continue;
  const { expected } = JSON.parse(readFileSync(`${ROOT}/${folder}/case.json`, "utf8")) as Case;
  const reading = readDump(readFileSync(`${ROOT}/${folder}/input.txt`, "utf8"));
  const faults: string[] = [];
  const missingOthers: string[] = [];
  for (const [name, value] of Object.entries(expected.key_numbers)) {
    const actual = reading.keyNumbers.get(name);
    const required = expected.required_keys.includes(name);
    if (required) requiredCount += 1;
    else othersCount += 1;
    if (actual === undefined) (required ? faults : missingOthers).push(`${name} missing (${value})`);
    else if (!isClose(name, actual, value)) faults.push(`${name} is ${actual}, not ${value}`);
    else if (!required) othersFound += 1;
  }
  if (faults.length > 0) failed += 1;
  const kinds = [...new Set(reading.recognised.map(({ kind }) => kind))].join(", ");
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${folder}: ${kinds || "nothing recognised"}`);
  for (const fault of faults) console.log(`       ${fault}`);
  if (showAll) {
    for (const { kind, fromLine, toLine, at, label, truncated, warnings } of reading.recognised) {
      const notes = [at, label, truncated ? "cut off" : undefined, ...warnings].filter(
        (each) => each !== undefined,
      );
      console.log(
        `       lines ${fromLine}-${toLine} ${kind}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
      );
    }
    for (const { fromLine, toLine } of reading.unrecognised)
      console.log(`       not recognised: ${fromLine}-${toLine}`);
    for (const warning of reading.warnings) console.log(`       ${warning}`);
    if (missingOthers.length > 0) console.log(`       free-form, not given: ${missingOthers.join(", ")}`);
  }
}
console.log(
  `${failed} cases with faults; ${requiredCount} required numbers; ${othersFound} of ${othersCount} others given under the same name`,
);
if (failed > 0) process.exitCode = 1;
