import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fixtureTrees, readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseCgroups } from "../procfs/cgroups.ts";
import { parseMeminfo } from "../procfs/meminfo.ts";
import { parsePageSizeBytes } from "../procfs/smaps.ts";
import { parseZoneinfo } from "../procfs/zoneinfo.ts";
import { readDump } from "./read-dump.ts";

interface Case {
  name: string;
  input: string;
  numbers: Record<string, number>;
  required: string[];
}

const CASES: readonly Case[] = readdirSync("fixtures/cases")
  .sort()
  .map((name) => {
    const { expected } = JSON.parse(readFileSync(`fixtures/cases/${name}/case.json`, "utf8")) as {
      expected: { key_numbers: Record<string, number>; required_keys: string[] };
    };
    const input = readFileSync(`fixtures/cases/${name}/input.txt`, "utf8");
    return { name, input, numbers: expected.key_numbers, required: expected.required_keys };
  });

const numbersOf = (text: string) => Object.fromEntries(readDump(text).keyNumbers);
const kindsOf = (text: string) => readDump(text).recognised.map(({ kind }) => kind);
const inputOf = (number: string) => CASES.find(({ name }) => name.startsWith(number))?.input ?? "";

describe.each(CASES)("the dump $name", ({ input, numbers, required }) => {
  const reading = readDump(input);

  it("gives the numbers that it holds", () => {
    for (const name of required) expect(reading.keyNumbers.get(name), name).toBe(numbers[name]);
  });

  it("gives no number under a known name that differs from the right reading", () => {
    for (const [name, value] of Object.entries(numbers)) {
      const given = reading.keyNumbers.get(name);
      if (given === undefined) continue;
      const tolerance = name.includes("_approx") ? 0.02 * Math.abs(value) : name.endsWith("_count") ? 0 : 1;
      expect(Math.abs(given - value), name).toBeLessThanOrEqual(tolerance);
    }
  });

  it("is recognised", () => {
    expect(reading.recognised.length).toBeGreaterThan(0);
  });
});

describe("what people, mailers and loggers do to a text", () => {
  const eachLine = (change: (line: string) => string) => (text: string) =>
    text
      .split("\n")
      .map((line, index, all) => (index === all.length - 1 && line === "" ? "" : change(line)))
      .join("\n");
  const CHANGES: readonly [what: string, change: (text: string) => string][] = [
    ["carriage returns", (text) => text.replaceAll("\n", "\r\n")],
    ["a quote mark", eachLine((line) => `> ${line}`)],
    ["two levels of quoting", eachLine((line) => `>> > ${line}`)],
    ["no-break spaces", (text) => text.replaceAll("  ", "\u00A0 ")],
    ["a byte order mark", (text) => `\uFEFF${text}`],
    ["blanks at the end of lines", eachLine((line) => `${line}   `)],
    ["a fence", (text) => `\`\`\`text\n${text}\n\`\`\`\n`],
    ["terminal colours", eachLine((line) => `\u001B[0m${line}\u001B[0m`)],
    [
      "HTML",
      (text) =>
        `<pre>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</pre>\n`,
    ],
    [
      "quoted-printable",
      (text) =>
        `=C2=A0\n${text}`
          .replaceAll("=", "=3D")
          .replace("=3DC2=3DA0", "=C2=A0")
          .replace(/[^\n]{60}(?=[^\n])/g, "$&=\n"),
    ],
  ];

  for (const [what, change] of CHANGES) {
    // Nobody encodes twice, and mail programs quote what they have decoded.
    const encoded = CASES.filter(({ input }) =>
      what === "quoted-printable"
        ? /^[\t\n -~]*$/.test(input) && !input.includes("=3D")
        : !what.includes("quot") || !input.includes("=3D"),
    );
    it.each(encoded)(`${what} change no number of $name`, ({ input }) => {
      expect(numbersOf(change(input))).toEqual(numbersOf(input));
    });
  }

  it.each([
    "Nov 30 10:00:00 host1 kernel: ",
    "2026-11-30T10:00:00.123456+00:00 host1 kernel: ",
    "[12345.678901] ",
    "<4>[12345.678901] ",
    "[Mon Nov 30 10:00:00 2026] ",
    "kern  :warn  : [12345.678901] ",
    "[12345.678901][ T4711] ",
    "Mon Nov 30 10:00:00 2026 kern.warn kernel: [12345.678901] ",
  ])("the log prefix %j changes no number of an out-of-memory report", (prefix) => {
    const text = inputOf("064");
    const bare = text.replace(/^\[ *\d+\.\d+\] ?/gm, "");
    const prefixed = bare
      .split("\n")
      .map((line) => (line === "" ? "" : prefix + line))
      .join("\n");
    expect(numbersOf(prefixed)).toEqual(numbersOf(bare));
    expect(numbersOf(bare)).toMatchObject({ active_anon: 106_007_032, slab_unreclaimable: 74_964 });
  });
});

describe("a text cut anywhere", () => {
  it.each(CASES)("gives no number of $name that is not there with the rest of the line", ({ input }) => {
    const wrong: string[] = [];
    // A single line is taken at its word.
    for (
      let cut = input.indexOf("\n") + 2;
      cut < input.length;
      cut += Math.max(13, Math.ceil(input.length / 60))
    ) {
      const lineStart = input.lastIndexOf("\n", cut - 1) + 1;
      const lineEnd = input.indexOf("\n", cut);
      const without = readDump(input.slice(0, lineStart)).keyNumbers;
      const withRest = readDump(input.slice(0, lineEnd === -1 ? input.length : lineEnd + 1)).keyNumbers;
      for (const [name, value] of readDump(input.slice(0, cut)).keyNumbers) {
        if (name.endsWith("_objects_size")) continue;
        // The end of the line may make it a column or the last of several, and so change its name.
        const base = name.replace(/(?:@.*|_first|_last)+$/, "");
        const isThere = [...without, ...withRest].some(
          ([other, same]) => same === value && other.startsWith(base),
        );
        if (!isThere) wrong.push(`${name} = ${value} at ${cut}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("any text", () => {
  const WORDS = [
    ...[
      "MemTotal:",
      "kB",
      "KB",
      "slabinfo - version: 2.1",
      ": tunables",
      "slabdata",
      "OBJS ACTIVE USE",
      "100%",
      "Mem:",
    ],
    ...[
      "total used free",
      "buff/cache",
      "Node 0, zone Normal",
      "invoked oom-killer:",
      "Mem-Info:",
      "active_anon:1",
    ],
    ...[
      "#subsys_name\thierarchy\tnum_cgroups\tenabled",
      "memory\t1\t2\t1",
      '{"sysstat":',
      "}",
      "PAGES TOTAL PERCENTAGE",
    ],
    ...[
      "=3D",
      "=C2=A0",
      "=\n",
      "> ",
      "**",
      "`",
      "# cat /proc/sys/fs/dentry-state",
      "1 2 3 4 5 6",
      "\r",
      "\u00A0",
      "\u0000",
    ],
    ...[
      "Area Used Cache Noncache",
      "kernel dynamic memory",
      "tmpfs",
      "1%",
      "/run",
      "anon 1",
      "nr_shmem 2",
      "\n",
      "\n",
      " ",
    ],
    ...[
      "99999999999999999999",
      "-1",
      "1.5G",
      "1,234,567",
      "0x1-0x2 12 a+0x1/0x2 pages=1",
      "TCP: inuse 1 mem 2",
    ],
  ];
  const pasted = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 12 })), {
    maxLength: 60,
  });

  it("is read without an exception, and every number is finite", () => {
    fc.assert(
      fc.property(pasted, fc.constantFrom(" ", "", "\n"), (pieces, between) => {
        const reading = readDump(pieces.join(between));
        for (const [name, value] of reading.keyNumbers) {
          expect(Number.isFinite(value), name).toBe(true);
        }
        for (const { fromLine, toLine } of [...reading.recognised, ...reading.unrecognised]) {
          expect(fromLine).toBeGreaterThan(0);
          expect(toLine).toBeGreaterThanOrEqual(fromLine);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    "a",
    ">",
    "\n",
    "Slab: 1 kB\n",
    "Slab: 1 kB ",
    "a@",
    "[",
    "memory 1 2 1\n",
    "=3D=C2=A0=",
    '{"sysstat":\n',
    "1 1 100% 1K 1 1 1K\nname\n",
  ])("of %j a hundred thousand times over ends", (piece) => {
    expect(readDump(piece.repeat(100_000)).warnings).toBeDefined();
  });

  it("of which nothing is known gives nothing", () => {
    const reading = readDump("Dear all,\nour nodes die once a week, with 22 GB missing.\nAny ideas?\n");
    expect(reading.recognised).toEqual([]);
    expect(reading.keyNumbers.size).toBe(0);
    expect(reading.unrecognised).toEqual([{ fromLine: 1, toLine: 3 }]);
  });
});

describe("other forms than those of the cases", () => {
  it("meminfo: thousands points, a host before each line, all on one line, grep's path", () => {
    expect(numbersOf("MemTotal:  1,234,567 kB\nMemFree: 1.000 kB\n")).toEqual({
      MemTotal: 1_234_567,
      MemFree: 1000,
    });
    expect(numbersOf("node7: SUnreclaim:  5 kB\n")).toEqual({ SUnreclaim: 5 });
    expect(
      numbersOf("MemTotal: 100 kB MemFree: 40 kB Slab: 3 kB SReclaimable: 1 kB SUnreclaim: 2 kB\n"),
    ).toMatchObject({
      MemTotal: 100,
      SUnreclaim: 2,
    });
    expect(numbersOf("/proc/meminfo:Percpu:   7 kB\n")).toEqual({ Percpu: 7 });
  });

  it("meminfo: no number with another unit, of a process, or of a NUMA node", () => {
    expect(numbersOf("MemTotal: 16 GB\n")).toEqual({});
    expect(numbersOf("Rss: 12 kB\nPss: 4 kB\nAnonHugePages: 2048 kB\n")).toEqual({});
    expect(numbersOf("Node 0 MemTotal:  100 kB\nNode 1 MemTotal:  200 kB\n")).toEqual({
      "node0:MemTotal": 100,
      "node1:MemTotal": 200,
    });
  });

  it("slabinfo 2.4's columns, and a row that a mailer wrapped", () => {
    const old = "slabinfo - version: 1.1\nkmem_cache  59  78  100  2  2  1\ndentry_cache 100 120 128 4 4 1\n";
    expect(numbersOf(old)).toMatchObject({ "slab:kmem_cache": 8, "slab:dentry_cache": 16 });
    const wrapped = "dentry  10 21 192 21 1 : tunables 0 0 0 : slabdata\n1 1 0\n";
    expect(numbersOf(wrapped)).toMatchObject({ "slab:dentry": 4 });
  });

  it("slabtop: a wrapped name, a decimal comma", () => {
    const text =
      " OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n 210 210 100% 0,19K 10 21 40K\ndentry\n";
    expect(numbersOf(text)).toEqual({ "slab:dentry": 40 });
  });

  it("an out-of-memory report that a mailer wrapped at every width", () => {
    const whole = [
      "Mem-Info:",
      "active_anon:5639 inactive_anon:15857 isolated_anon:0",
      " slab_reclaimable:10922 slab_unreclaimable:30234",
      "Node 0 active_anon:22556kB inactive_anon:63428kB shmem_thp: 0kB kernel_stack:1332kB pagetables:812kB all_unreclaimable? no",
      "Node 0 DMA free:15220kB min:28kB low:32kB present:15984kB managed:15900kB mlocked:0kB",
      "Node 0 Normal free:10344kB min:5024kB low:6280kB present:2595996kB managed:2500000kB mlocked:0kB",
    ];
    const expected = numbersOf(`${whole.join("\n")}\n`);
    expect(expected).toMatchObject({ slab_unreclaimable: 120_936, kernel_stack: 1332, managed: 2_515_900 });
    for (let width = 24; width < 120; width += 1) {
      const wrapped = whole.map((line) => line.replace(new RegExp(`(.{${width},}?) `, "g"), "$1\n"));
      expect(numbersOf(wrapped.map((line) => `${line}\n`).join("")), `width ${width}`).toEqual(expected);
    }
  });

  it("the prefix of vendors that print CPU and task", () => {
    const prefix = "<4>[ 6207.637595]  [3:  Binder:9343_3:22875] ";
    expect(numbersOf(`${prefix} slab_reclaimable:13324 slab_unreclaimable:44354\n`)).toEqual({
      slab_reclaimable: 53_296,
      slab_unreclaimable: 177_416,
    });
  });

  it("slabtop of the procps that prints 0 % for all that is not full, and grouped numbers", () => {
    const text =
      " Active / Total Size (% used)       : 18,840,220.42K / 19,420,180.18K (97.0%)\n\n OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n1397319 1397172   0%    0.19K  66539       21    266156K dentry\n";
    expect(numbersOf(text)).toMatchObject({ "slab:dentry": 266_156, slabtop_total: 19_420_180.18 });
  });

  it("an out-of-memory report of a pod, as records of /dev/kmsg, with the groups below the pod", () => {
    const lines = [
      "memory: usage 122880kB, limit 122880kB, failcnt 83",
      "kmem: usage 512kB, limit 9007199254740988kB, failcnt 0",
      "Memory cgroup stats for /kubepods/burstable/pod1: cache:8KB rss:100000KB swap:0KB",
      "Memory cgroup stats for /kubepods/burstable/pod1/a: cache:0KB rss:40KB swap:0KB",
    ];
    const text = lines.map((line, place) => `6,3057406${place},3816544225424,-;${line}\n`).join("");
    expect(numbersOf(text)).toEqual({
      memcg_usage: 122_880,
      memcg_limit: 122_880,
      memcg_failcnt_count: 83,
      memcg_kmem_usage: 512,
      memcg_kmem_failcnt_count: 0,
      memcg_cache: 8,
      memcg_rss: 100_000,
      memcg_swap: 0,
    });
  });

  it("xsos: memory is not mixed up with swap", () => {
    const text =
      "MEMORY\n  RAM:\n    1.8 GiB total ram\n    1.1 GiB (59%) used\n  HugePages:\n    No ram pre-allocated to HugePages\n  LowMem/Slab/PageTables/Shmem/Percpu:\n    0.25 GiB (5%) of total ram used for Slab\n  Swap:\n    0.2 GiB (11%) used of 2 GiB total\n";
    const reading = readDump(text);
    expect(reading.recognised).toHaveLength(1);
    expect(reading.keyNumbers.get("xsos_used_approx")).toBeCloseTo(1.1 * 1024 ** 2);
    expect(reading.keyNumbers.get("xsos_slab_approx")).toBe(262_144);
  });

  it("free: French, bytes, wide, old layout, and without head", () => {
    const french =
      "              total       utilisé      libre     partagé tamp/cache   disponible\nMem:           7,6Gi       2,1Gi       3,0Gi       300Mi       2,5Gi       5,0Gi\n";
    expect(numbersOf(french)).toMatchObject({ shared: 307_200, available_approx: 5 * 1024 ** 2 });
    const bytes =
      "$ free -b\n total used free shared buff/cache available\nMem: 1048576 1024 2048 0 4096 8192\n";
    expect(numbersOf(bytes)).toMatchObject({ MemTotal: 1024, available: 8 });
    const wide = "$ free -wm\n total used free shared buffers cache available\nMem: 8 1 2 0 1 4 6\n";
    expect(numbersOf(wide)).toMatchObject({ buffers: 1024, cache: 4096, available: 6144 });
    const old =
      "$ free\n total used free shared buffers cached\nMem: 9000000 1 2 3 4 5\n-/+ buffers/cache: 6 7\nSwap: 8 0 8\n";
    expect(numbersOf(old)).toMatchObject({ buffers: 4, cached: 5, SwapTotal: 8 });
    expect(numbersOf("$ free -k\nMem: 9000000 1 2 3 4 5\n")).toEqual({
      MemTotal: 9_000_000,
      used: 1,
      free: 2,
      shared: 3,
    });
  });

  it("files between the arrows of tail", () => {
    const text =
      "==> /proc/sys/fs/dentry-state <==\n100 90 45 0 80 0\n\n==> /proc/sys/fs/file-nr <==\n992 0 9223372036854775807\n\n==> /sys/fs/cgroup/cgroup.stat <==\nnr_descendants 12\nnr_dying_descendants 3400\n";
    expect(numbersOf(text)).toMatchObject({
      dentries_negative_count: 80,
      files_allocated_count: 992,
      nr_dying_descendants_count: 3400,
    });
  });

  it("sockstat, zoneinfo, buddyinfo and vmstat, in pages of the size that the text proves", () => {
    const text =
      "Hugepagesize:   524288 kB\nTCP: inuse 5 orphan 0 tw 1 alloc 6 mem 10\nNode 0, zone   Normal  1 0 0 1 0 0 0 0 0 0 0\n";
    expect(numbersOf(text)).toMatchObject({
      sockstat_TCP_mem: 640,
      buddyinfo_free: 576,
      buddyinfo_free_order3: 512,
    });
    expect(readDump("TCP: inuse 5 orphan 0 tw 1 alloc 6 mem 10\n").recognised[0]?.warnings).toEqual([
      "Pages are taken to be 4 KiB: the text does not show their size.",
    ]);
  });

  it.each(fixtureTrees())("the files of the tree %s one after the other", (tree) => {
    const files = ["proc/meminfo", "proc/zoneinfo", "proc/vmstat", "proc/slabinfo", "proc/cgroups"].flatMap(
      (path) => {
        const text = readTreeFile(tree, path);
        return text === undefined ? [] : [{ path, text }];
      },
    );
    const reading = readDump(files.map(({ path, text }) => `==> /${path} <==\n${text}\n`).join(""));
    expect(reading.unrecognised).toEqual([]);
    const zoneinfo = parseZoneinfo(readTreeFile(tree, "proc/zoneinfo") ?? "").value;
    const pageKib = (parsePageSizeBytes(readTreeFile(tree, "proc/self/smaps") ?? "").value ?? 0) / 1024;
    expect(reading.keyNumbers.get("pcp_free")).toBe((zoneinfo.pcpFreePages ?? 0) * pageKib);
    const memory = parseCgroups(readTreeFile(tree, "proc/cgroups") ?? "").value.controllers.get("memory");
    expect(reading.keyNumbers.get("cgroups_memory_count")).toBe(memory?.numCgroups);
    const { values } = parseMeminfo(readTreeFile(tree, "proc/meminfo") ?? "").value;
    for (const [key, value] of values) {
      expect(reading.keyNumbers.get(key.startsWith("HugePages_") ? `${key}_count` : key), key).toBe(value);
    }
  });

  it("sadf, arcstats and messages", () => {
    const sadf = JSON.stringify({
      sysstat: {
        hosts: [
          {
            statistics: [1, 2].map((each) => ({
              timestamp: { date: "2026-11-30", time: `0${each}:00:00` },
              memory: { memfree: 10 * each, slab: 5 },
            })),
          },
        ],
      },
    });
    expect(numbersOf(sadf)).toEqual({ MemFree_first: 10, MemFree_last: 20, Slab: 5 });
    expect(
      numbersOf("size                            4    2048\nc_max                           4    4096\n"),
    ).toEqual({ arc_size: 2, arc_c_max: 4 });
    const message = "mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod1: cannot allocate memory";
    expect(kindsOf(message)).toEqual(["memory cgroup not made: ENOMEM"]);
    expect(
      kindsOf("[1.000000] SLUB: Unable to allocate memory on CPU 3 (of node 0) on node -1, gfp=0x1\n"),
    ).toEqual(["slab allocation failed"]);
    expect(kindsOf("mkdir: cannot create directory ‘/tmp/x’: No space left on device")).toEqual([]);
  });
});
