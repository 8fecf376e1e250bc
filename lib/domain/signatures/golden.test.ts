import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  evidenceOf,
  level,
  rising,
  SIGNATURE_EXAMPLES,
} from "../../../scripts/testing/signature-examples.ts";
import type { Change, Evidence } from "./evidence.ts";
import { matchSignatures } from "./match-signatures.ts";

const MIB = 1024;
const GIB = 1024 * MIB;
const idsOf = (evidence: Evidence) => matchSignatures(evidence).findings.map(({ signature }) => signature);

/** The sums of sipb/homeworld#458, growing; what else the story tells. */
const HISTORY_1: Evidence = {
  levels: { "meminfo.MemTotal": 196_688_344 },
  changes: {
    "total.kernelNoncache": rising(9_000_000, 22_368_844, 168),
    "watch./run/crio/exits.files": rising(40_000, 300_000, 168),
    "band.anon": level(699_404),
  },
  correlations: { "total.kernelNoncache ~ containers.started": 0.94 },
  interventions: [
    { kind: "job-stopped", slope: { "total.kernelNoncache": "stopped" } },
    { kind: "runtime-restarted", slope: { "total.kernelNoncache": "unchanged" } },
  ],
};

describe("the first history: exit files of CRI-O", () => {
  it("names them first and page cache second, with the check that tells them apart", () => {
    const { findings, discriminate } = matchSignatures(HISTORY_1);
    expect(findings.slice(0, 2).map(({ signature }) => signature)).toEqual(["S01", "S02"]);
    expect(findings[0]).toMatchObject({ certainty: "firm", severity: "warning", counterEvidence: [] });
    expect(discriminate.map(({ signature }) => signature)).toEqual(["S01", "S02"]);
    expect(discriminate[0]?.reading).toContain("drop_caches=3");
    expect(findings[0]?.fix).toContain("removes no old files");
  });

  it("knows them on any tmpfs that gets a file for each dying cgroup", () => {
    const evidence = (files: number) =>
      evidenceOf({
        levels: { "cgroup.memory.dying": 30_000 },
        changes: {
          "cgroup.memory.dying": rising(1000, 30_000),
          "tmpfs./run/user/1000.inodes": rising(500, 510),
          "tmpfs./run/containers/exits.inodes": rising(1000, 1000 + files),
        },
      });
    const [found] = matchSignatures(evidence(29_000)).findings;
    expect(found?.signature).toBe("S01");
    expect(found?.evidence[0]?.text).toContain("comes with a file on /run/containers/exits");
    expect(idsOf(evidence(300))).not.toContain("S01");
  });

  it("names page cache where dropping it lets the cgroups go", () => {
    const ids = idsOf({
      ...HISTORY_1,
      changes: { ...HISTORY_1.changes, "cgroup.memory.dying": rising(40_000, 300_000, 168) },
      interventions: [
        ...(HISTORY_1.interventions ?? []),
        { kind: "drop-caches-1", freedShare: { "cgroup.memory.dying": 0.97 } },
      ],
    });
    expect(ids[0]).toBe("S02");
    expect(ids).not.toContain("S01");
  });
});

describe("what only a log line tells", () => {
  const full = { messages: { "conntrack table full": 3, "TCP out of memory": 6 } };
  const find = (evidence: Partial<Evidence>, id: string) =>
    matchSignatures(evidenceOf(evidence)).findings.find(({ signature }) => signature === id);

  it("is a hint, with the time of the last line and the counters that speak against it", () => {
    const calm = {
      ...full,
      lastLoggedMs: { "TCP out of memory": Date.UTC(2026, 10, 30, 18, 2) },
      levels: {
        "conntrack.count": 12,
        "conntrack.max": 262_144,
        "sockstat.tcp.kib": 4,
        "sockstat.tcp.limit.kib": MIB,
      },
    };
    for (const id of ["S20", "S22"])
      expect(find(calm, id), id).toMatchObject({ severity: "info", certainty: "suspected" });
    expect(find(calm, "S20")?.counterEvidence[0]?.text).toContain(
      "more than half of the table is in use now",
    );
    expect(find(calm, "S22")?.evidence[0]?.text).toBe(
      "logged 6 times, last at 2026-11-30 18:02 UTC: TCP out of memory.",
    );
    expect(find(full, "S20")?.severity).toBe("info");
  });

  it("stands behind what counters tell", () => {
    const ids = idsOf(
      evidenceOf({ ...full, levels: { "fs.dentryState.nr_negative": 9e6, "fs.dentryState.nr_dentry": 1e7 } }),
    );
    expect(ids[0]).toBe("S11");
    expect(ids).toContain("S22");
  });

  it("is a warning where a counter says that it holds now", () => {
    const used = (count: number) => ({
      ...full,
      levels: { "conntrack.count": count, "conntrack.max": 262_144 },
    });
    expect(find(used(200_000), "S20")?.severity).toBe("warning");
    expect(find(used(250_000), "S20")).toMatchObject({ severity: "warning", certainty: "firm" });
  });
});

describe("what depends on how much it is", () => {
  it("warns of page tables above a tenth of memory", () => {
    const severity = (kib: number) =>
      matchSignatures(
        evidenceOf({ levels: { "meminfo.MemTotal": 100 * GIB, "band.ptables": kib } }),
      ).findings.map((found) => [found.signature, found.severity]);
    expect(severity(42 * GIB)).toEqual([["S29", "warning"]]);
    expect(severity(6 * GIB)).toEqual([["S29", "info"]]);
  });

  it("tells threads from zombies where tasks are counted in slab alone", () => {
    const ids = (levels: Record<string, number>) =>
      idsOf(evidenceOf({ levels: { "slab.task_struct.objects": 612_340, ...levels } }));
    expect(ids({})).toEqual(expect.arrayContaining(["S07", "S36"]));
    expect(ids({ "tasks.zombies": 600_000 })).toEqual(["S07"]);
    expect(ids({ "tasks.zombies": 3 })).toEqual(["S36"]);
    expect(ids({ "slab.task_struct.objects": 9000 })).toEqual([]);
  });
});

describe("the second history: kernel-memory accounting on 3.10", () => {
  const HISTORY_2: Evidence = {
    levels: {
      "meminfo.MemTotal": 64 * GIB,
      "meminfo.MemAvailable": 40 * GIB,
      "cgroup.memory.kmem.kib": 51_200,
      cpus: 16,
    },
    changes: { "cgroup.memory.count": rising(9000, 65_300, 240) },
    messages: { "memory cgroup not made: ENOMEM": 14, "slab allocation failed": 40 },
    kernelRelease: "3.10.0-862.14.4.el7.x86_64",
  };

  it("names the accounting first and the ids second", () => {
    const { findings } = matchSignatures(HISTORY_2);
    expect(findings.slice(0, 2).map(({ signature }) => signature)).toEqual(["S01b", "S05"]);
    expect(findings[0]?.confirm.command).toContain("kmem.slabinfo");
    expect(findings[0]?.mitigate).toContain("Reboot");
    expect(findings[0]?.fix).toMatch(/nokmem.*rc94/);
  });

  it("finds nothing on 5.15, where the file is there and means nothing", () => {
    expect(
      idsOf(
        evidenceOf({
          kernelRelease: "5.15.0-91-generic",
          levels: { "cgroup.memory.kmem.kib": 4096, "cgroup.memory.live": 240, "cgroup.memory.count": 250 },
        }),
      ),
    ).toEqual([]);
  });
});

describe("what is told apart", () => {
  it("a reservation of huge pages is no leak", () => {
    const { findings } = matchSignatures(
      evidenceOf({
        levels: { "band.hugetlb": 8 * GIB, "meminfo.HugePages_Total": 4096, "meminfo.HugePages_Free": 4096 },
        changes: { "band.hugetlb": level(8 * GIB) },
      }),
    );
    expect(findings.map(({ signature, severity, certainty }) => [signature, severity, certainty])).toEqual([
      ["S39", "info", "firm"],
    ]);
  });

  it("an unaccounted that swings with the per-CPU lists is nothing", () => {
    const swing: Change = {
      first: 20 * MIB,
      last: 150 * MIB,
      max: 170 * MIB,
      samples: 288,
      hours: 72,
      lowerPerHour: -4000,
    };
    expect(idsOf(evidenceOf({ changes: { "band.unacc": swing, "band.pcp": swing } }))).toEqual([]);
  });

  it("half-empty slabs after a burst are fragmentation", () => {
    const evidence = evidenceOf({
      levels: { "meminfo.Slab": 3.6 * GIB, "slab.unused.kib": 2.8 * GIB },
      changes: { "meminfo.SUnreclaim": level(3.2 * GIB), "band.sunrecl": level(3.2 * GIB) },
    });
    expect(idsOf(evidence)).toEqual(["S10"]);
  });

  it("a TCP counter that rises alone is a fault of the counter", () => {
    expect(idsOf(SIGNATURE_EXAMPLES.S22b?.matches ?? HISTORY_1)).toEqual(["S22b"]);
  });

  it("some hundred KiB more of TCP buffers are traffic", () => {
    const evidence = (kib: number) =>
      evidenceOf({ changes: { "sockstat.tcp.kib": rising(0, kib), "band.unacc": level(15 * MIB) } });
    expect(idsOf(evidence(404))).toEqual([]);
    expect(idsOf(evidence(404 * MIB))).toEqual(["S22b"]);
  });

  it("vmalloc that the per-CPU allocator takes is no module's", () => {
    const evidence = (caller: string) =>
      evidenceOf({
        levels: { "band.vmalloc": 3 * GIB },
        changes: {
          "band.vmalloc": rising(1 * GIB, 3 * GIB),
          [`vmalloc.${caller}.usedKib`]: rising(1 * MIB, 2 * GIB),
        },
      });
    expect(idsOf(evidence("pcpu_create_chunk"))).not.toContain("S28");
    expect(idsOf(evidence("load_module"))).toContain("S28");
  });

  const slab = { "meminfo.SReclaimable": rising(1 * GIB, 9 * GIB), "meminfo.MemAvailable": level(40 * GIB) };

  it("reclaimable slab that goes is cache", () => {
    const evidence = evidenceOf({
      changes: slab,
      interventions: [{ kind: "drop-caches-2", freedShare: { "meminfo.SReclaimable": 0.8 } }],
    });
    expect(matchSignatures(evidence).findings[0]).toMatchObject({ signature: "S13", severity: "info" });
  });

  it("reclaimable slab that stays, with far more inodes than dentries, is pinned", () => {
    const evidence = evidenceOf({
      levels: { "fs.inodeNr.nr_inodes": 3_000_000, "fs.dentryState.nr_dentry": 300_000 },
      changes: slab,
      interventions: [{ kind: "drop-caches-2", freedShare: { "meminfo.SReclaimable": 0.1 } }],
    });
    expect(idsOf(evidence)).toEqual(["S12"]);
  });
});

describe("what is not known", () => {
  it("invents no cause for slab that grows with containers and nothing else told", () => {
    const { findings, possible } = matchSignatures(
      evidenceOf({
        kernelRelease: "4.18.0-15-generic",
        changes: { "meminfo.SUnreclaim": rising(2 * GIB, 20 * GIB) },
      }),
    );
    expect(findings).toEqual([]);
    const missing = Object.fromEntries(possible.map((each) => [each.signature, each.missing]));
    expect(missing.S02).toContain("dying memory cgroups");
    expect(missing.S18).toContain("objects of slab cache net_namespace");
    expect(missing.S46).toContain("loaded modules");
  });

  it("is never firm of growth from one reading, however large", () => {
    const evidence = evidenceOf({
      levels: { "cgroup.memory.dying": 90_000, "band.percpu": 12 * GIB, "slab.ebitmap_node.bytes": 9e9 },
    });
    const { findings } = matchSignatures(evidence);
    expect(findings.length).toBeGreaterThan(0);
    for (const { signature, certainty } of findings)
      expect([signature, certainty]).toEqual([signature, "suspected"]);
  });

  it("is never firm of growth of less than a day", () => {
    const { findings } = matchSignatures(
      evidenceOf({
        changes: {
          "cgroup.memory.dying": rising(3000, 30_000, 20),
          "band.percpu": rising(1 * GIB, 4 * GIB, 20),
        },
      }),
    );
    expect(new Set(findings.map(({ certainty }) => certainty))).toEqual(new Set(["suspected"]));
  });

  it("gives a score from 0 to 1 and never throws, whatever is known", () => {
    const names = [
      ...new Set(Object.values(SIGNATURE_EXAMPLES).flatMap(({ matches }) => Object.keys(matches.levels))),
    ];
    const number = fc.oneof(fc.double({ noNaN: true, min: 0, max: 1e15 }), fc.constantFrom(0, 1, 5e7));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), number),
        fc.dictionary(
          fc.constantFrom(...names),
          fc.record({ first: number, last: number, max: number, samples: fc.nat() }),
        ),
        (levels, changes) => {
          for (const { score, evidence } of matchSignatures({ levels, changes }).findings) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
            expect(evidence.length).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
