/**
 * `npm run fuzz [-- --count N | --seed N]`: reads changed, cut and mixed dumps (100,000 by default) and reports whatever
 * throws, gives no number or does not add up, with the seed that makes the text again; then measures how long 1 MB and
 * 50 MB take. With `--seed` prints one text and its faults. Exits 1 on any fault.
 */
import { parseArgs } from "node:util";

import { explainDump } from "#lib/domain/diagnosis/explain.ts";
import { hostileDump, readHostile, readSources } from "./testing/hostile-dumps.ts";

const MEGABYTE = 1_000_000;
/** A text of a few kB that takes longer is reported: it would be an expression that is not linear. */
const SLOW_MS = 250;

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string" } },
});
const sources = readSources();

function fuzz(count: number): number {
  let faulty = 0;
  let told = 0;
  let slowest = { ms: 0, seed: 0 };
  const since = performance.now();
  for (let seed = 1; seed <= count; seed += 1) {
    const text = hostileDump(seed, sources);
    const began = performance.now();
    const { faults, recognised } = readHostile(text);
    const ms = performance.now() - began;
    if (ms > slowest.ms) slowest = { ms, seed };
    if (recognised > 0) told += 1;
    if (faults.length === 0) continue;
    faulty += 1;
    if (faulty <= 20) console.log(`seed ${seed}: ${faults.join("; ")}`);
  }
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  console.log(
    `${count} texts in ${seconds} s, ${faulty} with faults, in ${told} something was recognised; slowest ${slowest.ms.toFixed(0)} ms (seed ${slowest.seed})`,
  );
  if (slowest.ms > SLOW_MS) console.log(`slower than ${SLOW_MS} ms: seed ${slowest.seed}`);
  return faulty;
}

function measure(name: string, text: string): void {
  const took = Array.from({ length: text.length > 10 * MEGABYTE ? 1 : 3 }, () => {
    const began = performance.now();
    explainDump(text);
    return performance.now() - began;
  }).sort((a, b) => a - b);
  const median = took[Math.floor(took.length / 2)] ?? NaN;
  console.log(`${name}: ${(text.length / MEGABYTE).toFixed(1)} MB in ${(median / 1000).toFixed(2)} s`);
}

const sized = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

if (values.seed !== undefined) {
  const text = hostileDump(Number(values.seed), sources);
  console.log(text);
  const { faults } = readHostile(text);
  console.log(faults.length === 0 ? "no fault" : faults.join("\n"));
  if (faults.length > 0) process.exitCode = 1;
} else {
  if (fuzz(Number(values.count)) > 0) process.exitCode = 1;
  const all = sources.join("\n");
  measure("all fixtures", sized(all, MEGABYTE));
  measure(
    "mutants",
    sized(Array.from({ length: 400 }, (_, seed) => hostileDump(seed, sources)).join("\n"), MEGABYTE),
  );
  measure("one line", sized("MemFree: 123 kB ", MEGABYTE));
  measure("digits", sized("9", MEGABYTE));
  measure("blanks", sized(" ", MEGABYTE));
  measure("quote marks", sized("> ", MEGABYTE));
  measure("all fixtures", sized(all, 50 * MEGABYTE));
}
