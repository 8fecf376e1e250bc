import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fixtureTrees, readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseBootId } from "./boot-id.ts";
import { parseCgroupStat } from "./cgroup-stat.ts";
import { parseCgroups } from "./cgroups.ts";
import { parseCmdline } from "./cmdline.ts";
import { parseMeminfo } from "./meminfo.ts";
import { parseOsrelease } from "./osrelease.ts";
import type { Parsed } from "./parse-error.ts";
import { parseSlabinfo } from "./slabinfo.ts";
import { parsePageSizeBytes } from "./smaps.ts";
import { parseStat } from "./stat.ts";
import { parseUptime } from "./uptime.ts";
import { parseVersion } from "./version.ts";
import { parseVmallocinfo } from "./vmallocinfo.ts";
import { parseVmstat } from "./vmstat.ts";
import { parseZoneinfo } from "./zoneinfo.ts";

const PARSERS: readonly [file: string, parse: (text: string) => Parsed<unknown>][] = [
  ["proc/meminfo", parseMeminfo],
  ["proc/vmstat", parseVmstat],
  ["proc/zoneinfo", parseZoneinfo],
  ["proc/slabinfo", parseSlabinfo],
  ["proc/vmallocinfo", parseVmallocinfo],
  ["proc/cgroups", parseCgroups],
  ["sys/fs/cgroup/unified/cgroup.stat", parseCgroupStat],
  ["proc/stat", parseStat],
  ["proc/version", parseVersion],
  ["proc/sys/kernel/osrelease", parseOsrelease],
  ["proc/cmdline", (text) => ({ ...parseCmdline(text), value: parseCmdline(text).value.parameters })],
  ["proc/uptime", parseUptime],
  ["proc/sys/kernel/random/boot_id", parseBootId],
  ["proc/self/smaps", parsePageSizeBytes],
];

const TREE = "6.18-debian12-x86_64";

/** Words that the parsers look for, mixed with what breaks careless ones. */
const kernelText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "MemTotal:",
          "kB",
          "Node 0, zone",
          "pages free",
          "pagesets",
          "count:",
          "per-node stats",
          "slabdata",
        ],
        ...[
          ":",
          ": tunables",
          "#",
          "slabinfo - version: 2.1\n",
          "memory",
          "cpu0",
          "Linux version ",
          "__proto__",
        ],
        ...[
          "\n",
          "\r\n",
          "\t",
          "  ",
          "\u0000",
          "\u00a0",
          "\ud800",
          '"',
          "=",
          "0x0-0x1",
          "pages=",
          "-1",
          "1e9",
        ],
        ...["18446744073709551615", "99999999999999999999999", "0", "7", "KernelPageSize:", "nr_descendants"],
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.nat().map(String),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(" "));

describe.each(PARSERS)("the parser of %s", (file, parse) => {
  const real = readTreeFile(TREE, file) ?? "";

  function expectSound(text: string): void {
    const { warnings } = parse(text);
    const lines = text.split("\n").length;
    expect(warnings.length).toBeLessThanOrEqual(50);
    for (const warning of warnings) {
      expect(warning.lineNumber).toBeGreaterThanOrEqual(1);
      expect(warning.lineNumber).toBeLessThanOrEqual(lines);
      expect(warning.line.length).toBeLessThanOrEqual(200);
      expect(warning.expected).not.toBe("");
    }
  }

  it("has a real file to be mutated, and reads it without a warning", () => {
    expect(real).not.toBe("");
    expect(parse(real).warnings).toEqual([]);
  });

  it("never throws on any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), expectSound), { numRuns: 300 });
    fc.assert(fc.property(kernelText, expectSound), { numRuns: 300 });
  });

  it("never throws on a mutation of a real file", () => {
    const edit = fc.tuple(fc.nat(real.length), fc.nat(40), fc.oneof(kernelText, fc.constant("")));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = real;
        for (const [at, length, inserted] of edits)
          text = text.slice(0, at) + inserted + text.slice(at + length);
        expectSound(text);
      }),
      { numRuns: 100 },
    );
  });

  it("reads CRLF as LF", () => {
    const { value } = parse(real.replaceAll("\n", "\r\n"));
    expect(value).toEqual(parse(real).value);
  });

  it("takes time in proportion to the text", () => {
    const length = 1 << 18;
    for (const piece of [
      "a",
      " ",
      ":",
      "0",
      "\n",
      "\r",
      "\t:",
      "= ",
      "- ",
      '"',
      ": : ",
      "pages free ",
      "Node 0, zone ",
    ]) {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const startedAt = performance.now();
      parse(text);
      parse(`${real}${text}\n${real}`);
      expect(performance.now() - startedAt, JSON.stringify(piece)).toBeLessThan(1500);
    }
  }, 60_000);
});

describe("a text cut anywhere", () => {
  const flat: readonly [string, (text: string) => ReadonlyMap<string, unknown>][] = [
    ["proc/meminfo", (text) => parseMeminfo(text).value.values],
    ["proc/vmstat", (text) => parseVmstat(text).value.values],
    ["proc/stat", (text) => parseStat(text).value.values],
    ["proc/cgroups", (text) => parseCgroups(text).value.controllers],
    ["sys/fs/cgroup/unified/cgroup.stat", (text) => parseCgroupStat(text).value.values],
  ];

  it.each(flat)("gives no number that %s does not hold", (file, read) => {
    const text = readTreeFile(TREE, file) ?? "";
    const whole = read(text);
    const wrong: string[] = [];
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (const [key, value] of read(text.slice(0, cut))) {
        if (!isDeepStrictEqual(value, whole.get(key))) wrong.push(`${key} at ${cut}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("gives no column that slabinfo does not hold", () => {
    const text = (readTreeFile(TREE, "proc/slabinfo") ?? "").slice(0, 2000);
    const whole = parseSlabinfo(text).value.caches;
    for (let cut = 0; cut <= text.length; cut += 1) {
      parseSlabinfo(text.slice(0, cut)).value.caches.forEach((cache, index) => {
        const given = Object.entries(cache).filter(([, value]) => value !== undefined);
        expect(whole[index]).toMatchObject(Object.fromEntries(given));
      });
    }
  });

  it("gives no sum of the per-CPU lists unless zones are whole", () => {
    const text = readTreeFile(TREE, "proc/zoneinfo") ?? "";
    const zones = parseZoneinfo(text).value.zones;
    const partial = zones.map((_, index) =>
      zones.slice(0, index + 1).reduce((sum, zone) => sum + (zone.pcpPages ?? 0), 0),
    );
    for (let cut = 0; cut <= text.length; cut += 1) {
      const { pcpFreePages } = parseZoneinfo(text.slice(0, cut)).value;
      if (pcpFreePages !== undefined) expect(partial).toContain(pcpFreePages);
    }
  });
});

describe.each(fixtureTrees())("the tree %s", (tree) => {
  it.each(PARSERS)("is read without a warning: %s", (file, parse) => {
    const text = readTreeFile(tree, file);
    if (text !== undefined) expect(parse(text).warnings).toEqual([]);
  });
});
