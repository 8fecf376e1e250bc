import { describe, expect, it } from "vitest";

import { hostileDump, readHostile, readSources } from "../../../scripts/testing/hostile-dumps.ts";
import { explainDump } from "./explain.ts";

/** `npm run fuzz` reads ten times as many. */
const MUTANTS = 10_000;

describe("changed, cut and mixed dumps", () => {
  it("are all read without a fault", { timeout: 120_000 }, () => {
    const sources = readSources();
    let recognised = 0;
    const faulty: string[] = [];
    for (let seed = 1; seed <= MUTANTS; seed += 1) {
      const outcome = readHostile(hostileDump(seed, sources));
      if (outcome.faults.length > 0)
        faulty.push(`npm run fuzz -- --seed ${seed}: ${outcome.faults.join("; ")}`);
      if (outcome.recognised > 0) recognised += 1;
    }
    expect(faulty).toEqual([]);
    // Texts in which nothing is left to recognise would prove nothing.
    expect(recognised).toBeGreaterThan(MUTANTS / 2);
  });

  it("are changed: the same seed gives the same text, another seed another", () => {
    const sources = readSources();
    const texts = Array.from({ length: 200 }, (_, index) => hostileDump(index + 1, sources));
    expect(texts.map((_, index) => hostileDump(index + 1, sources))).toEqual(texts);
    expect(new Set(texts).size).toBeGreaterThan(190);
  });
});

it("a MemTotal of 0 gives no share of memory, not an infinite one", () => {
  const { holders } = explainDump(
    "MemTotal: 0 kB\nMemFree: 0 kB\nSlab: 21000000 kB\nSUnreclaim: 20000000 kB\n",
  );
  expect(holders.map(({ reason }) => reason).join()).toMatch(
    /^19\.1 GiB that nothing can reclaim(?!.*Infinity)/,
  );
});

describe("texts of a size that nobody pastes", () => {
  // Ten times what `npm run fuzz` measures; a reader that is not linear takes minutes.
  it("are read in time that grows with their length", { timeout: 10_000 }, () => {
    const all = readSources().join("\n");
    const megabyte = all.repeat(Math.ceil(2 ** 20 / all.length)).slice(0, 2 ** 20);
    expect(explainDump(megabyte).recognised.length).toBeGreaterThan(100);
  });

  it("say what of them was not read", () => {
    const { warnings, recognised } = explainDump(
      "MemTotal: 1024 kB\n".padEnd(50_000_000, `${"x".repeat(999)}\n`),
    );
    expect(warnings).toContain("Only the first 8000000 characters were read.");
    expect(recognised.map(({ kind }) => kind)).toEqual(["meminfo"]);
  });
});
