/** A short text to try the page with. Composed for the purpose: names, numbers and machines are made up. */
export interface DumpExample {
  readonly title: string;
  readonly text: string;
}

function meminfo(fields: Readonly<Record<string, number>>): string {
  return Object.entries(fields)
    .map(([key, kib]) => `${`${key}:`.padEnd(16)}${String(kib).padStart(9)} kB\n`)
    .join("");
}

/** 64 GiB; what is given leaves free, or goes to it. */
function node(heldKib: Readonly<Record<string, number>>, lostKib = 180_000): string {
  const fields = {
    Buffers: 210_400,
    Cached: 9_480_200,
    AnonPages: 11_204_000,
    Shmem: 310_200,
    SReclaimable: 1_240_400,
    SUnreclaim: 812_300,
    KernelStack: 41_200,
    PageTables: 96_400,
    VmallocUsed: 128_000,
    Percpu: 61_400,
    ...heldKib,
  };
  const stacksOnce = fields.VmallocUsed;
  const used =
    fields.Buffers +
    fields.Cached +
    fields.AnonPages +
    fields.SReclaimable +
    fields.SUnreclaim +
    fields.PageTables +
    stacksOnce +
    fields.Percpu +
    lostKib;
  const total = 65_806_412;
  const free = total - used;
  return meminfo({
    MemTotal: total,
    MemFree: free,
    MemAvailable: free + fields.Buffers + fields.Cached - fields.Shmem + fields.SReclaimable - 700_000,
    Buffers: fields.Buffers,
    Cached: fields.Cached,
    SwapCached: 0,
    "Active(anon)": 10_800_000,
    "Inactive(anon)": fields.AnonPages + fields.Shmem - 10_800_000,
    "Active(file)": 5_200_000,
    "Inactive(file)": fields.Buffers + fields.Cached - fields.Shmem - 5_200_000,
    SwapTotal: 0,
    SwapFree: 0,
    AnonPages: fields.AnonPages,
    Mapped: 1_120_400,
    Shmem: fields.Shmem,
    KReclaimable: fields.SReclaimable,
    Slab: fields.SReclaimable + fields.SUnreclaim,
    SReclaimable: fields.SReclaimable,
    SUnreclaim: fields.SUnreclaim,
    KernelStack: fields.KernelStack,
    PageTables: fields.PageTables,
    VmallocUsed: fields.VmallocUsed,
    VmallocChunk: 0,
    Percpu: fields.Percpu,
    Hugetlb: 0,
  });
}

const EXIT_FILES = `root@node-7:~# smem -K ./vmlinux -w
Area                           Used      Cache   Noncache
firmware/hardware                 0          0          0
kernel image                  12629          0      12629
kernel dynamic memory      24104020    1735176   22368844
userspace memory            1017764     318360     699404
free memory               171566560  171566560          0
root@node-7:~# find /run/crio/exits -type f | wc -l
285448
root@node-7:~# cat /proc/cgroups
#subsys_name    hierarchy       num_cgroups     enabled
cpuset  9       146     1
cpu     4       288     1
memory  7       286151  1
devices 3       288     1
pids    5       288     1
root@node-7:~# uname -r
4.19.0-6-amd64
`;

const GROWING = [
  ["2026-11-23T04:00:00Z", 812_300, 61_400],
  ["2026-11-25T04:00:00Z", 6_420_800, 1_840_000],
  ["2026-11-27T04:00:00Z", 12_110_400, 3_610_000],
  ["2026-11-30T04:00:00Z", 20_480_900, 6_270_000],
] as const;

const WHOLE = `==> /proc/meminfo <==
${node({ SUnreclaim: 3_412_300 })}
==> /proc/uptime <==
345600.12 2700000.00

==> /proc/stat <==
cpu  100 0 100 1000 0 0 0 0 0 0
cpu0 50 0 50 500 0 0 0 0 0 0
cpu1 50 0 50 500 0 0 0 0 0 0
processes 812345

==> /proc/sys/kernel/random/boot_id <==
0b1d0f6a-3c1e-4a57-9d4e-5f4c2a9b7e11

==> /proc/sys/kernel/osrelease <==
5.10.0-28-amd64
`;

/** What the page offers to load, the most telling first. */
export const DUMP_EXAMPLES: readonly DumpExample[] = [
  { title: "smem -w, exit files and cgroups", text: EXIT_FILES },
  {
    title: "a week of /proc/meminfo that grows",
    text: GROWING.map(
      ([at, SUnreclaim, Percpu]) => `# date -u\n${at}\n# cat /proc/meminfo\n${node({ SUnreclaim, Percpu })}`,
    ).join("\n"),
  },
  { title: "a quiet machine", text: `$ cat /proc/meminfo\n${node({})}` },
  { title: "kernel files as tail prints them, ready to save", text: WHOLE },
];
