import { describe, expect, it } from "vitest";
import { messagesCounted, sectionMetricsOf, sectionQuantities } from "./section-quantities.ts";

describe("sectionQuantities", () => {
  it("turns pages and bytes into KiB, with the page size of the machine", () => {
    const counters = { "sockstat.TCP.mem": 10, "zfsArc.sizeBytes": 2048 };
    expect(sectionQuantities(counters, 65_536)).toEqual({
      ...counters,
      "sockstat.tcp.kib": 640,
      "zfs.arc.kib": 2,
    });
    expect(sectionQuantities(counters, undefined)["sockstat.tcp.kib"]).toBeUndefined();
  });

  it("takes the user of keys who is nearest to a limit", () => {
    const counters = {
      ...{ "keyUsers.0.qnkeys": 500, "keyUsers.0.maxkeys": 1_000_000 },
      ...{ "keyUsers.1000.qnkeys": 180, "keyUsers.1000.maxkeys": 200 },
    };
    expect(sectionQuantities(counters, 4096)).toMatchObject({
      "keys.quota.used": 180,
      "keys.quota.max": 200,
    });
  });

  it("knows of no kernel memory of containers where none is accounted for, and nothing where nobody looked", () => {
    const usage = { "kmemAccounting.usageKib": 900 };
    expect(
      [{ ...usage, "kmemAccounting.accounted": 0 }, { ...usage, "kmemAccounting.accounted": 3 }, usage].map(
        (counters) => sectionQuantities(counters, 4096)["cgroup.memory.kmem.kib"],
      ),
    ).toEqual([0, 900, undefined]);
  });

  it("says from which metrics a quantity is made", () => {
    expect(sectionMetricsOf("loop.expected")).toEqual(["loop.attached", "loop.deleted"]);
    expect(sectionMetricsOf("tasks.threads")).toEqual(["tasks.threads"]);
  });
});

describe("messagesCounted", () => {
  it("names messages as dumps do", () => {
    expect(
      messagesCounted({
        "counts.log.memcg-mkdir-enomem": 14,
        "counts.log.audit-backlog": 0,
        "counts.kubelet.evictions": 2,
      }),
    ).toEqual({ "memory cgroup not made: ENOMEM": 14 });
  });
});
