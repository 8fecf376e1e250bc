import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { explainDump } from "./explain.ts";

const meminfo = (fields: Record<string, number>) =>
  Object.entries(fields)
    .map(([key, kib]) => `${key}: ${kib} kB\n`)
    .join("");

/** A machine with 64 GiB, of which `changed` tells what is not ordinary. Free takes up the rest. */
function machine(changed: Record<string, number> = {}): string {
  const total = 67_108_864;
  const fields: Record<string, number> = {
    Buffers: 400_000,
    Cached: 12_000_000,
    "Active(anon)": 9_000_000,
    "Inactive(anon)": 1_200_000,
    SwapTotal: 0,
    AnonPages: 10_000_000,
    Shmem: 200_000,
    Slab: 2_000_000,
    SReclaimable: 1_400_000,
    SUnreclaim: 600_000,
    KernelStack: 30_000,
    PageTables: 90_000,
    VmallocTotal: 34_359_738_367,
    VmallocUsed: 120_000,
    VmallocChunk: 0,
    Percpu: 40_000,
    Hugetlb: 0,
    ...changed,
  };
  fields.Slab = (fields.SReclaimable ?? 0) + (fields.SUnreclaim ?? 0);
  const held = [
    "Buffers",
    "Cached",
    "AnonPages",
    "Slab",
    "KernelStack",
    "PageTables",
    "VmallocUsed",
    "Percpu",
    "Hugetlb",
  ]
    .map((key) => fields[key] ?? 0)
    .reduce((sum, each) => sum + each, 0);
  const lost = changed.lost ?? 0;
  delete fields.lost;
  return meminfo({ MemTotal: total, MemFree: total - held - lost - 400_000, ...fields });
}

const read = (text: string) => {
  const { verdict, suspects, findings, askNext } = explainDump(text);
  return { verdict, first: suspects[0], signatures: findings.map(({ signature }) => signature), askNext };
};

describe("one reading of a machine", () => {
  it("finds nothing on an ordinary one", () => {
    expect(read(machine())).toEqual({
      verdict: "not-a-leak",
      first: undefined,
      signatures: [],
      askNext: undefined,
    });
  });

  it("convicts unreclaimable slab that is most of memory", () => {
    const { verdict, first, signatures, askNext } = read(machine({ SUnreclaim: 40_000_000 }));
    expect([verdict, first, signatures]).toEqual(["leak", "slab-unreclaimable", ["unknown"]]);
    expect(askNext).toContain("slabinfo");
  });

  it("does not convict a quarter of memory in it", () => {
    expect(read(machine({ SUnreclaim: 16_000_000 }))).toMatchObject({
      verdict: "unclear",
      first: "slab-unreclaimable",
    });
  });

  it("suspects ZFS where vmalloc is as large", () => {
    expect(
      read(machine({ SUnreclaim: 36_000_000, VmallocUsed: 9_000_000, Cached: 4_000_000 })),
    ).toMatchObject({
      verdict: "unclear",
      first: "slab-unreclaimable",
    });
  });

  it("names what no class holds, and never convicts it from one reading", () => {
    expect(read(machine({ lost: 30_000_000 }))).toMatchObject({ verdict: "unclear", first: "unaccounted" });
  });

  it("clears huge pages, processes and page cache", () => {
    expect(read(machine({ Hugetlb: 33_554_432 }))).toMatchObject({
      verdict: "not-a-leak",
      first: "hugetlb reservation",
      signatures: ["S39"],
    });
    expect(read(machine({ AnonPages: 48_000_000, "Active(anon)": 47_000_000 }))).toMatchObject({
      verdict: "not-a-leak",
      first: "user-anon",
    });
    expect(read(machine({ Cached: 45_000_000 }))).toMatchObject({
      verdict: "not-a-leak",
      first: "page-cache",
    });
  });

  it("convicts percpu memory that is a quarter of the machine", () => {
    expect(read(machine({ Percpu: 16_000_000 }))).toMatchObject({ verdict: "leak", first: "percpu" });
  });

  it("convicts anonymous pages that no process maps", () => {
    expect(read(machine({ lost: 20_000_000, "Active(anon)": 29_000_000 })).first).toMatch(
      /^orphaned anonymous pages/,
    );
  });
});

describe("several readings", () => {
  const series = (...texts: string[]) =>
    texts.map((text, hour) => `Mon Nov 30 1${hour}:00:00 UTC 2026\n${text}`).join("\n");

  it("shows growth, and what it cannot know from a few samples", () => {
    const text = series(machine(), machine({ SUnreclaim: 1_500_000 }), machine({ SUnreclaim: 2_900_000 }));
    const { verdict, findings } = explainDump(text);
    expect(verdict).toBe("leak");
    expect(findings.map(({ certainty }) => certainty)).toEqual(["suspected"]);
  });

  it("does not take a level that wobbles for growth", () => {
    expect(
      read(
        series(
          machine({ SUnreclaim: 900_000 }),
          machine({ SUnreclaim: 1_100_000 }),
          machine({ SUnreclaim: 950_000 }),
        ),
      ).verdict,
    ).toBe("not-a-leak");
  });

  it("does not take a reboot for a series", () => {
    const up = (text: string, days: string) =>
      ` 10:00:00 up ${days}, 1 user, load average: 0.1, 0.1, 0.1\n${text}`;
    const text = [
      up(machine({ SUnreclaim: 600_000 }), "9 days, 2:00"),
      up(machine({ SUnreclaim: 3_000_000 }), "12 min"),
    ].join("\n");
    expect(read(text).verdict).not.toBe("leak");
  });

  it("does not take two machines for one", () => {
    const text = `worker-a:\n${machine()}\nworker-b:\n${machine({ SUnreclaim: 4_000_000 })}`;
    expect(read(text).verdict).not.toBe("leak");
  });
});

describe("other texts", () => {
  it("convicts a table of slab by what can only be left over", () => {
    const text = [
      " Active / Total Size (% used)       : 9000000.00K / 9100000.00K (98.9%)",
      "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME",
      "40000000 40000000 100%    0.19K 1904762       21   7619048K cred_jar",
      "  60000   59000  98%    0.19K   2858       21     11432K dentry",
      "",
    ].join("\n");
    expect(read(text)).toMatchObject({ verdict: "leak", first: "slab-unreclaimable:cred_jar" });
  });

  it("clears a table of slab that is dentries", () => {
    const text = [
      " Active / Total Size (% used)       : 4000000.00K / 4100000.00K (97.6%)",
      "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME",
      "20000000 20000000 100%    0.19K 952381       21   3809524K dentry",
      "",
    ].join("\n");
    expect(read(text)).toMatchObject({ verdict: "not-a-leak", first: "slab-reclaimable:dentry" });
  });

  it("names a limit that the log says was met", () => {
    expect(read("[12.3] nf_conntrack: nf_conntrack: table full, dropping packet\n")).toMatchObject({
      verdict: "unclear",
      first: "conntrack table full",
      signatures: ["S20"],
    });
    expect(read("kubelet: create session key: disk quota exceeded\n")).toMatchObject({ signatures: ["S31"] });
  });

  it("does not call cgroups a leak that the text itself made", () => {
    const count = (n: number) => `#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t4\t${n}\t1\n`;
    expect(read(count(64_000)).verdict).toBe("leak");
    expect(
      read(`# for i in $(seq 60000); do mkdir /sys/fs/cgroup/memory/t/$i; done\n${count(64_000)}`).verdict,
    ).toBe("unclear");
    expect(read(count(140)).verdict).toBe("not-a-leak");
  });

  it("names kernel memory that fills the limit of a cgroup, on cgroup v1 and v2", () => {
    const v1 = [
      "memory: usage 2097152kB, limit 2097152kB, failcnt 812",
      "kmem: usage 1812344kB, limit 9007199254740988kB, failcnt 0",
      "Memory cgroup stats for /docker/5e12: cache:412KB rss:284396KB swap:0KB active_anon:284396KB",
      "Memory cgroup out of memory: Kill process 9123 (app) score 137 or sacrifice child",
    ].join("\n");
    expect(explainDump(v1)).toMatchObject({
      verdict: "unclear",
      holders: [{ name: "kernel memory of the cgroup", kib: 1_812_344 }, { name: "memcg limit" }],
      askNext: expect.stringContaining("memory.kmem.slabinfo") as string,
    });
    const parts = "kernel_stack 200000000\npercpu 200000000\npagetables 200000000\nslab_reclaimable 1000\n";
    const v2 = (kernel: number) => `anon 700000000\nfile 1000\nkernel ${kernel}\n${parts}`;
    expect(explainDump(v2(600_001_000)).suspects).toEqual(["user-anon", "kernel memory of the cgroup"]);
    expect(explainDump(v2(2_000_000_000)).holders[0]).toMatchObject({
      name: "kernel memory of the cgroup",
      kib: (2_000_000_000 - 600_001_000) / 1024,
    });
  });

  it("takes shared memory out of the page cache of a cgroup, which counts it", () => {
    const { verdict, suspects } = explainDump(
      "anon 20971520\nfile 1010827264\nshmem 1008730112\nslab_unreclaimable 1048576\n",
    );
    expect([verdict, suspects]).toEqual(["unclear", ["tmpfs/shmem"]]);
  });

  it("gives a cache its own amount, not that of all slab", () => {
    const text = [
      meminfo({ MemTotal: 65_808_972, SReclaimable: 402_344, SUnreclaim: 26_010_000 }),
      "slabinfo - version: 2.1",
      "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>",
      "kmalloc-4k        2512340 2512340  4096    8    8 : tunables    0    0    0 : slabdata 314042 314042      0",
      "",
    ].join("\n");
    expect(explainDump(text).holders[0]).toMatchObject({
      name: "slab-unreclaimable:kmalloc-4k",
      kib: 314_042 * 32,
      reason: "9.58 GiB; all slab that nothing can reclaim is 24.8 GiB, 40 % of memory",
    });
  });

  it("does not clear a machine by a summary that cannot see the kernel's memory", () => {
    const free = (...rows: readonly string[]) =>
      `$ free -m\n${rows
        .map(
          (row) =>
            `              total        used        free      shared  buff/cache   available\n${row}\n`,
        )
        .join("\n")}`;
    const large = free("Mem:          257000      192500       12300        1200       52200       59400");
    expect(read(large)).toMatchObject({
      verdict: "unclear",
      askNext: expect.stringContaining("/proc/meminfo, whole") as string,
    });
    const idle = free("Mem:           64300        4120       40112         210       20068       59400");
    expect(read(idle).verdict).toBe("not-a-leak");
    const series = free(
      "Mem:          31900        8100       20000          20        3800       23300",
      "Mem:          31900       12100       16000          20        3800       19300",
      "Mem:          31900       20100        8000          20        3800       11300",
    );
    expect(explainDump(series)).toMatchObject({
      verdict: "unclear",
      holders: [
        {
          name: "used memory (of processes or of the kernel)",
          kib: 12_000 * 1024,
          reason: "rose from 7.91 GiB to 19.6 GiB over 3 samples while cache stayed the same",
        },
      ],
      askNext: expect.stringContaining("AnonPages against SUnreclaim") as string,
    });
  });

  it("names a tmpfs that ran out, of memory or of inodes", () => {
    const inodes = [
      "Filesystem       Inodes   IUsed    IFree IUse% Mounted on",
      "tmpfs           2015678 2015678        0  100% /run",
      "tmpfs           2015678      12  2015666    1% /dev/shm",
      "",
    ].join("\n");
    expect(read(inodes)).toMatchObject({
      verdict: "unclear",
      first: "tmpfs inodes exhausted: /run",
      signatures: ["S33"],
      askNext: expect.stringContaining("find /run -xdev") as string,
    });
    const size = [
      "Filesystem     1K-blocks     Used Available Use% Mounted on",
      "tmpfs           66060288 66060288         0 100% /dev/shm",
      "tmpfs            1600000   120000   1480000   8% /run",
      "",
    ].join("\n");
    expect(explainDump(size).holders[0]).toMatchObject({ name: "tmpfs full: /dev/shm", kib: 66_060_288 });
  });

  it("knows what is left over by the number of objects, from slabinfo and slabtop", () => {
    const slabinfo = [
      "slabinfo - version: 2.1",
      "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>",
      "net_namespace      112340 112340   4928    6    8 : tunables    0    0    0 : slabdata  18724  18724      0",
      "task_struct        612340 612340   5952    5    8 : tunables    0    0    0 : slabdata 122468 122468      0",
      "",
    ].join("\n");
    expect(read(slabinfo).signatures).toEqual(expect.arrayContaining(["S18", "S07", "S36"]));
    const slabtop = [
      " Active / Total Size (% used)       : 9000000.00K / 9100000.00K (98.9%)",
      "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME",
      "112344 112340 100%    4.81K  18724        6    599168K net_namespace",
      "",
    ].join("\n");
    expect(read(slabtop).signatures).toEqual(["S18"]);
  });

  it("decides nothing where the numbers contradict each other", () => {
    const text = meminfo({
      MemTotal: 8_000_000,
      MemFree: 9_000_000,
      Slab: 7_000_000,
      SReclaimable: 500_000,
      SUnreclaim: 6_500_000,
    });
    expect(read(text)).toMatchObject({
      verdict: "unclear",
      askNext: expect.stringContaining("contradicts itself") as string,
    });
  });

  it("does not ask for what was read", () => {
    const zfs = "size 4 66991234567\nc_max 4 50000000000\n";
    const arc = `${meminfo({ MemTotal: 131_923_456, MemFree: 3_823_412, Buffers: 1234, Cached: 1_345_678, AnonPages: 42_234_567, Shmem: 23_456, Slab: 12_512_345, SReclaimable: 312_345, SUnreclaim: 12_200_000, KernelStack: 36_123, PageTables: 155_123, Percpu: 50_123 })}# cat /proc/spl/kstat/zfs/arcstats\n${zfs}`;
    expect(read(arc).first).toBe("zfs-arc/spl");
    expect(read(arc).askNext).toContain("VmallocUsed");
    const dying = (directories: string) =>
      read(`#subsys_name\thierarchy\tnum_cgroups\tenabled\nmemory\t4\t9000\t1\n${directories}`).askNext;
    expect(dying("")).toContain("find /sys/fs/cgroup/memory");
    expect(dying("# find /sys/fs/cgroup/memory -type d | wc -l\n143\n")).not.toContain("find /sys/fs");
  });

  it("asks for a file where it understands nothing", () => {
    expect(read("our nodes die")).toMatchObject({ verdict: "unclear", first: undefined });
    expect(read("our nodes die").askNext).toContain("/proc/meminfo");
  });

  it("never throws, whatever is pasted", () => {
    const word = fc.constantFrom(
      ...[
        "MemTotal:",
        "SUnreclaim:",
        "kB",
        "0",
        "1",
        "99999999999",
        "memory",
        "\n",
        " ",
        "\t",
        "slab",
        "%",
        "Mem:",
        "nr_dying_descendants",
      ],
      ...["active_anon:1", "OBJS ACTIVE  USE", "==> /proc/meminfo <==", "\u0000", "up 3 days, 2:00,"],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const { verdict, suspects } = explainDump(words.join(" "));
        expect(["leak", "not-a-leak", "unclear"]).toContain(verdict);
        expect(new Set(suspects).size).toBe(suspects.length);
      }),
      { numRuns: 200 },
    );
  });
});
