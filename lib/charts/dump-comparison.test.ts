import { describe, expect, it } from "vitest";
import { readPaste } from "#lib/domain/diagnosis/read-paste.ts";
import { compareDumps } from "./dump-comparison.ts";

/** A machine of 31.4 GiB whose free memory pays for its slab. */
const meminfo = (sunreclaim: number, total = 32_877_764) =>
  Object.entries({
    MemTotal: total,
    MemFree: total - 12_000_000 - sunreclaim,
    Buffers: 50_000,
    Cached: 7_212_000,
    AnonPages: 4_212_000,
    Slab: 400_000 + sunreclaim,
    SReclaimable: 400_000,
    SUnreclaim: sunreclaim,
    PageTables: 55_000,
  })
    .map(([key, kib]) => `${key}: ${kib} kB\n`)
    .join("");
const compare = (first: string, second: string) => compareDumps(readPaste(first), readPaste(second));

describe("which of two dumps is the newer one", () => {
  it("is told by their times, whatever the order in which they were given", () => {
    const late = `2026-03-05 08:00:00\n${meminfo(3_000_000)}`;
    const early = `2026-03-04 08:00:00\n${meminfo(900_000)}`;
    const kept = compare(early, late);
    expect(kept.newer).toBe("second");
    expect(kept.answer).toMatch(
      /^Kernel, tmpfs and huge pages grew by 2\.00\sGiB, most of it slab, unreclaimable \(\+2\.00\sGiB\)\.$/,
    );
    const swapped = compare(late, early);
    expect(swapped.newer).toBe("first");
    expect(swapped.order).toContain("the first one is the later");
    expect(swapped.before?.name).toBe("second: 2026-03-04 08:00:00");
    expect(swapped.answer).toBe(kept.answer);
  });

  it("is the second where nothing tells", () => {
    expect(compare(meminfo(3_000_000), meminfo(900_000))).toMatchObject({
      newer: "second",
      warning: undefined,
    });
  });

  it("is told by the uptime within one boot only", () => {
    const boot = (id: string, seconds: string) =>
      `==> /proc/sys/kernel/random/boot_id <==\n${id}\n==> /proc/uptime <==\n${seconds} 1.00\n==> /proc/meminfo <==\n${meminfo(900_000)}`;
    const [one, other] = ["11111111-2222-3333-4444-555555555555", "21111111-2222-3333-4444-555555555555"];
    expect(compare(boot(one, "7200.00"), boot(one, "3600.00")).newer).toBe("first");
    const rebooted = compare(boot(one, "7200.00"), boot(other, "3600.00"));
    expect(rebooted.newer).toBe("second");
    expect(rebooted.warning).toBe(
      "Two boots: two boot ids. What follows is how they differ, not growth in one boot.",
    );
  });
});

describe("whether two dumps are of one machine", () => {
  it("is said where MemTotal, host or kernel differ", () => {
    const one = `[root@node-3 ~]# uname -r\n5.10.0-20-amd64\n[root@node-3 ~]# cat /proc/meminfo\n${meminfo(900_000)}`;
    const other = `[root@node-7 ~]# uname -r\n6.1.0-18-amd64\n[root@node-7 ~]# cat /proc/meminfo\n${meminfo(900_000, 65_800_000)}`;
    const { warning, answer } = compare(one, other);
    expect(warning).toBe(
      "Two different machines: host node-3 and node-7; MemTotal 31.4 GiB and 62.8 GiB; kernel 5.10.0-20-amd64 and 6.1.0-18-amd64. What follows is how they differ, not growth.",
    );
    expect(answer).toMatch(/^Two different machines\. /);
    expect(compare(one, one.replaceAll("node-3", "node-3.example.org")).warning).toBeUndefined();
  });

  it("is a boot of its own where only the kernel, or a shorter uptime at a later time, tells", () => {
    expect(
      compare(
        `$ uname -r\n5.10.0-20-amd64\n${meminfo(900_000)}`,
        `$ uname -r\n6.1.0-18-amd64\n${meminfo(900_000)}`,
      ).warning,
    ).toContain("Two boots: kernel 5.10.0-20-amd64 and 6.1.0-18-amd64.");
    const at = (date: string, up: string) =>
      `$ date\n${date}\n$ uptime\n 10:00:00 up ${up},  1 user,  load average: 0.00, 0.00, 0.00\n${meminfo(900_000)}`;
    expect(
      compare(
        at("Mon Mar  2 10:00:00 UTC 2026", "40 days,  1:00"),
        at("Tue Mar  3 10:00:00 UTC 2026", "2 days,  1:00"),
      ).warning,
    ).toContain("the newer one was up for less time");
  });
});

it("dumps without a composition have no difference", () => {
  const { before, after, answer } = compare("cut off", meminfo(900_000));
  expect(before).toBeUndefined();
  expect(after).toBeDefined();
  expect(answer).toBeUndefined();
});
