import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { SIGNATURE_EXAMPLES } from "../../../scripts/testing/signature-examples.ts";
import { matchSignatures } from "./match-signatures.ts";
import { SIGNATURES } from "./registry.ts";

const EXPECTED = ["S01", "S01b", "S02", "S03", "S04", "S05", "S06", "S07", "S08", "S09"]
  .concat(
    Array.from({ length: 13 }, (_, index) => `S${index + 10}`),
    "S22b",
  )
  .concat(Array.from({ length: 28 }, (_, index) => `S${index + 23}`));

describe("the registry", () => {
  it("holds all 52 signatures of the catalogue, in order", () => {
    expect(SIGNATURES.map(({ id }) => id)).toEqual(EXPECTED);
    expect(EXPECTED).toHaveLength(52);
  });

  it("lists every file of a signature", () => {
    const files = readdirSync("lib/domain/signatures").filter((name) => /^s\d/.test(name));
    const ids = files.map(
      (name) => /id: "(\w+)"/.exec(readFileSync(`lib/domain/signatures/${name}`, "utf8"))?.[1],
    );
    expect(ids.sort()).toEqual([...EXPECTED].sort());
    files.forEach((name, place) => {
      expect(name.split("-")[0], name).toBe(
        /id: "(\w+)"/
          .exec(readFileSync(`lib/domain/signatures/${files[place] ?? ""}`, "utf8"))?.[1]
          ?.toLowerCase(),
      );
    });
  });

  it("has an example and a near miss of each", () => {
    expect(Object.keys(SIGNATURE_EXAMPLES).sort()).toEqual([...EXPECTED].sort());
  });
});

describe.each(SIGNATURES)("$id $name", ({ id, confirm, mitigate, fix, sources, affectedVersions }) => {
  const example = SIGNATURE_EXAMPLES[id];
  const matched = (evidence: NonNullable<typeof example>["matches"]) =>
    matchSignatures(evidence).findings.find(({ signature }) => signature === id);

  it("is found where it is", () => {
    expect(example && matched(example.matches)).toMatchObject({ signature: id });
  });

  it("is not found in its near miss", () => {
    expect(example && matched(example.nearMiss), example?.why).toBeUndefined();
  });

  it("is not found where nothing is known", () => {
    expect(matched({ levels: {}, changes: {} })).toBeUndefined();
  });

  it("rests on numbers, or on words of a log", () => {
    const finding = example && matched(example.matches);
    expect(finding?.evidence.flatMap(({ values }) => values).length).toBeGreaterThan(0);
  });

  it("says how to tell it from others and what to do", () => {
    for (const text of [confirm.command, confirm.reading, mitigate, fix, affectedVersions, ...sources])
      expect(text.trim()).not.toBe("");
    expect(sources.length).toBeGreaterThan(0);
  });
});
