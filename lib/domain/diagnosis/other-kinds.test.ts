import { describe, expect, it } from "vitest";

import { explainDump } from "./explain.ts";

const GIB = 1024 * 1024;

/** A machine as the kernel prints it; what is given goes off its free memory, `lost` is in no class. */
function meminfo(total: number, held: Readonly<Record<string, number>> = {}, lost = 150_000): string {
  const fields = {
    Buffers: 50_000,
    Cached: 4_000_000,
    AnonPages: 6_000_000,
    Shmem: 100_000,
    SReclaimable: 600_000,
    SUnreclaim: 400_000,
    KernelStack: 20_000,
    PageTables: 60_000,
    VmallocUsed: 90_000,
    Percpu: 30_000,
    ...held,
  };
  const inside = ["Shmem", "KernelStack"];
  const used = Object.entries(fields).reduce(
    (sum, [key, kib]) => (inside.includes(key) ? sum : sum + kib),
    lost,
  );
  const all = {
    MemTotal: total,
    MemFree: total - used,
    ...fields,
    Slab: fields.SReclaimable + fields.SUnreclaim,
  };
  const lines = Object.entries(all).map(([key, kib]) => `${key}: ${kib} kB\n`);
  return `${lines.join("")}SwapTotal: 0 kB\nHugePages_Total: 0\nHugePages_Free: 0\nHugepagesize: 2048 kB\n`;
}
const read = (text: string) => {
  const { verdict, holders, findings, keyNumbers, unrecognised, composition } = explainDump(text);
  return {
    verdict,
    first: holders[0]?.name,
    reason: holders[0]?.reason,
    signatures: findings.filter(({ severity }) => severity === "warning").map(({ signature }) => signature),
    keyNumbers,
    unrecognised,
    unaccounted: composition?.bands.find(({ key }) => key === "unacc")?.kib,
  };
};
const USED = "used memory (of processes or of the kernel)";

describe("summaries of other tools", () => {
  it("of vmstat -s are read in their unit", () => {
    const text =
      "$ vmstat -s\n     16265840 K total memory\n     13012336 K used memory\n      1234567 K active memory\n" +
      "      201212 K free memory\n       123456 K buffer memory\n      2928836 K swap cache\n            0 K total swap\n" +
      "       123456 non-nice user cpu ticks\n     12345678 pages paged in\n     99887766 interrupts\n   1772000000 boot time\n        12345 forks\n";
    expect(read(text)).toMatchObject({ verdict: "unclear", first: USED, unrecognised: [] });
    expect(read(text).keyNumbers).toMatchObject({ MemTotal: 16_265_840, cached: 2_928_836 });
    expect(read(text).reason).toContain("12.4 GiB");
  });

  it("of busybox's top have all memory as used and free together", () => {
    const text =
      "Mem: 1947200K used, 88232K free, 12344K shrd, 23212K buff, 190212K cached\nCPU:   2% usr   3% sys\n";
    expect(read(text)).toMatchObject({
      verdict: "unclear",
      first: USED,
      keyNumbers: { MemTotal: 2_035_432 },
    });
  });

  it("of sar -r are a series of the day, and its growth has no owner", () => {
    const row = (time: string, free: number, used: number, percent: number) =>
      `${time}   ${free}  ${free + 9_000_000}  ${used}     ${percent}     12344  9123440   9123440     27.00  11123440  16123440      1200\n`;
    const text =
      "12:00:01 AM kbmemfree   kbavail kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty\n" +
      row("12:10:01 AM", 20_000_000, 8_000_000, 21.53) +
      row("01:10:01 PM", 12_000_000, 16_000_000, 43.06) +
      "Average:   16000000  25000000  12000000     32.30     12344  9123440   9123440     27.00  11123440  16123440      1200\n";
    expect(read(text)).toMatchObject({ verdict: "unclear", first: USED });
    expect(read(text).reason).toContain("rose from 7.63 GiB to 15.3 GiB in 13 h");
  });

  it("of NUMA nodes are the machine where all of them are there", () => {
    const node = (id: number, unreclaimable: number) =>
      Object.entries({
        MemTotal: 65_000_000,
        MemFree: 20_000_000,
        FilePages: 9_000_000,
        AnonPages: 9_000_000,
        KernelStack: 14_000,
        PageTables: 52_000,
        Slab: 700_000 + unreclaimable,
        SReclaimable: 700_000,
        SUnreclaim: unreclaimable,
      })
        .map(([key, kib]) => `Node ${id} ${key}: ${kib} kB\n`)
        .join("");
    expect(read(node(0, 900_000) + node(1, 40_000_000))).toMatchObject({ first: "slab-unreclaimable" });
    // Half of a machine is not one.
    expect(read(node(1, 40_000_000)).first).toBeUndefined();
  });
});

describe("memory that is in no class", () => {
  it("is zram where /proc/vmstat counts as many pages", () => {
    const text = `==> /proc/meminfo <==\n${meminfo(16 * GIB, {}, 3_000_000)}==> /proc/vmstat <==\nnr_free_pages 230000\nnr_zspages 720000\n`;
    expect(read(text)).toMatchObject({ verdict: "not-a-leak" });
    expect(read(text).unaccounted).toBe(3_000_000 - 720_000 * 4);
  });

  it("is the ARC of ZFS only as far as its size goes", () => {
    const arc = (bytes: number) =>
      `# cat /proc/spl/kstat/zfs/arcstats\nsize 4 ${bytes}\nc_max 4 36000000000\n`;
    const text = meminfo(64 * GIB, {}, 34_000_000);
    expect(read(text + arc(34_000_000_000))).toMatchObject({ verdict: "not-a-leak", first: "zfs-arc/spl" });
    expect(read(text + arc(2_200_000_000))).toMatchObject({ verdict: "unclear", first: "unaccounted" });
    expect(read(text + arc(39_900_000_000))).toMatchObject({ verdict: "unclear", first: "zfs-arc/spl" });
  });

  it("is a balloon where the hypervisor's tool says so", () => {
    const text = `${meminfo(32 * GIB, {}, 9_000_000)}$ vmware-toolbox-cmd stat balloon\n8700 MB\n`;
    expect(read(text)).toMatchObject({ verdict: "not-a-leak", first: "balloon", unrecognised: [] });
  });

  it("is what TCP holds, or what was pinned, where the counters are as large", () => {
    const tcp = `${meminfo(32 * GIB, {}, 5_000_000)}# cat /proc/net/sockstat\nsockets: used 41234\nTCP: inuse 1200 orphan 9000 tw 312 alloc 30123 mem 1200000\n`;
    expect(read(tcp)).toMatchObject({ first: "TCP socket memory", signatures: ["S22"] });
    const pins = `==> /proc/meminfo <==\n${meminfo(256 * GIB, {}, 80_000_000)}==> /proc/vmstat <==\nnr_free_pages 1\nnr_foll_pin_acquired 120000000\nnr_foll_pin_released 100500000\n`;
    expect(read(pins).signatures).toContain("S41");
  });
});

describe("states that only a leak makes", () => {
  it("are ten thousand network namespaces", () => {
    const row =
      "net_namespace 112340 112340 4928 6 8 : tunables 0 0 0 : slabdata 18724 18724 0\nkmalloc-4k 4512340 4512340 4096 8 8 : tunables 0 0 0 : slabdata 564043 564043 0\n";
    expect(read(`MemTotal: 65808972 kB\nSUnreclaim: 30010000 kB\n${row}`)).toMatchObject({
      verdict: "leak",
      first: "network namespaces",
    });
  });

  it("are exit files beside dying cgroups; more cgroups than ids run out of none", () => {
    const text =
      "# ls /run/crio/exits | wc -l\n182344\n# grep memory /proc/cgroups\nmemory\t4\t184211\t1\n# find /sys/fs/cgroup/memory -type d | wc -l\n612\n";
    expect(read(text)).toMatchObject({ verdict: "leak", first: "dying-memcgs" });
    expect(read(text).signatures[0]).toBe("S01");
    expect(read(text).signatures).not.toContain("S05");
  });

  it("that have no amount are suspected by name", () => {
    expect(read("$ ps -eo stat | sort | uniq -c | sort -rn\n  31234 Z\n    212 S\n")).toMatchObject({
      verdict: "unclear",
      first: "zombies",
      signatures: ["S07"],
    });
  });
});

it("pods between the arrows of a loop are no growth", () => {
  const pod = (name: string, unreclaimable: number) =>
    `==> pod/${name} <==\n${meminfo(32 * GIB, { SUnreclaim: unreclaimable })}`;
  expect(read(pod("agent-abc12", 500_000) + pod("agent-def34", 6 * GIB)).verdict).toBe("unclear");
});

describe("two readings within seconds", () => {
  const at = (second: string, held: Readonly<Record<string, number>>, lost?: number) =>
    `2026-11-30 10:00:${second}\n${meminfo(32 * GIB, held, lost)}\n`;

  it("make a rise suspected, not a leak", () => {
    const text = at("00", {}) + at("12", { SUnreclaim: 900_000 });
    expect(read(text)).toMatchObject({ verdict: "unclear", first: "slab-unreclaimable" });
    expect(read(text.replace("10:00:12", "10:40:12"))).toMatchObject({ verdict: "leak" });
  });

  it("see a cgroup more or less as none", () => {
    const cgroups = (second: string, count: number) =>
      `2026-11-30 10:00:${second}\n# cat /sys/fs/cgroup/cgroup.stat\nnr_descendants 90\nnr_dying_descendants ${count}\n\n`;
    expect(read(cgroups("00", 216) + cgroups("12", 217)).first).toBeUndefined();
    expect(read(cgroups("00", 216) + cgroups("12", 290)).first).toBe("dying-memcgs");
  });
});
