import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fixtureTrees, readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseAllocinfo } from "./allocinfo.ts";
import { parseArcstats } from "./arcstats.ts";
import { parseBootId } from "./boot-id.ts";
import { parseBuddyinfo } from "./buddyinfo.ts";
import { parseCgroupStat } from "./cgroup-stat.ts";
import { parseCgroups } from "./cgroups.ts";
import { parseCmdline } from "./cmdline.ts";
import { parseDentryState } from "./dentry-state.ts";
import { parseFileNr } from "./file-nr.ts";
import { parseInodeNr } from "./inode-nr.ts";
import { parseKeyUsers } from "./key-users.ts";
import { parseLoadavg } from "./loadavg.ts";
import { parseMeminfo } from "./meminfo.ts";
import { parseMemoryStat } from "./memory-stat.ts";
import { parseMmStat } from "./mm-stat.ts";
import { parseModules } from "./modules.ts";
import { parseMountinfo } from "./mountinfo.ts";
import { parseSingleNumber } from "./number-line.ts";
import { parseOsrelease } from "./osrelease.ts";
import type { Parsed } from "./parse-error.ts";
import { parsePressure } from "./pressure.ts";
import { parseProtocols } from "./protocols.ts";
import { parseSlabinfo } from "./slabinfo.ts";
import { parsePageSizeBytes } from "./smaps.ts";
import { parseSockstat } from "./sockstat.ts";
import { parseStat } from "./stat.ts";
import { parseTcpMem } from "./tcp-mem.ts";
import { parseUptime } from "./uptime.ts";
import { parseVersion } from "./version.ts";
import { parseVmallocinfo } from "./vmallocinfo.ts";
import { parseVmstat } from "./vmstat.ts";
import { parseZoneinfo } from "./zoneinfo.ts";

/** `tree` where the machine of the first tree does not have the file. */
const PARSERS: readonly [file: string, parse: (text: string) => Parsed<unknown>, tree?: string][] = [
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
  ["proc/buddyinfo", parseBuddyinfo],
  ["proc/key-users", parseKeyUsers],
  ["proc/loadavg", parseLoadavg],
  ["proc/pressure/memory", parsePressure],
  ["proc/1/net/sockstat", parseSockstat],
  ["proc/1/net/sockstat6", parseSockstat],
  ["proc/1/net/protocols", parseProtocols],
  ["proc/sys/net/ipv4/tcp_mem", parseTcpMem],
  ["proc/sys/net/netfilter/nf_conntrack_count", (text) => parseSingleNumber(text, "nf_conntrack_count")],
  ["proc/sys/fs/file-nr", parseFileNr],
  ["proc/sys/fs/inode-nr", parseInodeNr],
  ["proc/sys/fs/dentry-state", parseDentryState],
  ["proc/1/mountinfo", parseMountinfo],
  ["sys/block/zram0/mm_stat", parseMmStat],
  ["sys/fs/cgroup/memory/memory.stat", parseMemoryStat],
  ["sys/fs/cgroup/memory.stat", parseMemoryStat, "6.12-debian13-x86_64"],
  ["sys/fs/cgroup/memory/memory.kmem.slabinfo", parseSlabinfo, "3.10-el7-x86_64"],
  ["proc/modules", parseModules, "5.10-debian11-x86_64"],
  ["proc/allocinfo", parseAllocinfo, "6.12-debian13-x86_64"],
  ["proc/spl/kstat/zfs/arcstats", parseArcstats, "6.12-debian13-x86_64"],
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
        ...["some", "full", "avg10=0.00", "total=7", "TCP:", "mem", "func:x", "(POE)", "1/1", " - tmpfs"],
      ),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.nat().map(String),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(" "));

describe.each(PARSERS)("the parser of %s", (file, parse, tree = TREE) => {
  const real = readTreeFile(tree, file) ?? "";

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
      "1 func:",
      "a=",
      "(OE) ",
      "1/1 ",
    ]) {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const startedAt = performance.now();
      parse(text);
      parse(`${real}${text}\n${real}`);
      expect(performance.now() - startedAt, JSON.stringify(piece)).toBeLessThan(1500);
    }
  }, 60_000);
});

function fields(value: object | undefined): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value ?? {}).filter(([, each]) => each !== undefined));
}

describe("a text cut anywhere", () => {
  const flat: readonly [string, (text: string) => ReadonlyMap<string, unknown>][] = [
    ["proc/meminfo", (text) => parseMeminfo(text).value.values],
    ["proc/vmstat", (text) => parseVmstat(text).value.values],
    ["proc/stat", (text) => parseStat(text).value.values],
    ["proc/cgroups", (text) => parseCgroups(text).value.controllers],
    ["sys/fs/cgroup/unified/cgroup.stat", (text) => parseCgroupStat(text).value.values],
    ["sys/fs/cgroup/memory/memory.stat", (text) => parseMemoryStat(text).value.values],
    ["proc/1/net/sockstat", (text) => parseSockstat(text).value],
    ["proc/pressure/memory", (text) => fields(parsePressure(text).value)],
    ["proc/loadavg", (text) => fields(parseLoadavg(text).value)],
    ["proc/sys/net/ipv4/tcp_mem", (text) => fields(parseTcpMem(text).value)],
    ["proc/sys/fs/file-nr", (text) => fields(parseFileNr(text).value)],
    ["proc/sys/fs/inode-nr", (text) => fields(parseInodeNr(text).value)],
    ["proc/sys/fs/dentry-state", (text) => fields(parseDentryState(text).value)],
    ["sys/block/zram0/mm_stat", (text) => fields(parseMmStat(text).value)],
    ["proc/key-users", (text) => new Map(parseKeyUsers(text).value.map((user) => [String(user.uid), user]))],
    ["proc/buddyinfo", (text) => new Map(parseBuddyinfo(text).value.map((each) => [each.zone, each]))],
    [
      "proc/1/net/protocols",
      (text) => new Map(parseProtocols(text).value.map((each) => [each.protocol, each])),
    ],
    [
      "proc/1/mountinfo",
      (text) => new Map(parseMountinfo(text).value.map((each) => [String(each.mountId), each])),
    ],
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
