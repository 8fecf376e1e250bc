import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { composeMemory } from "#lib/domain/memory/composition.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { recordedAnswer, recordedSeries } from "../../../scripts/testing/fake-prometheus.ts";
import { assembleScrapes, gatherScrapes, type SeriesSamples } from "./assemble-scrapes.ts";
import { continueStarted, type StartedTotal } from "./container-counts.ts";
import { hostOfInstance, identifyNode } from "./node-identity.ts";
import { openAnswer, readLabelSets, readMatrix } from "./query-answer.ts";

const ALWAYS = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const assemble = (series: readonly SeriesSamples[], nodeLabel?: string, range = ALWAYS) =>
  assembleScrapes(gatherScrapes(series, nodeLabel), range, new Map());

describe("what a Prometheus 2.42.0 recorded of a node_exporter 1.5.0", () => {
  const { snapshots, incomplete } = assemble(recordedSeries());

  it("is one snapshot for each scrape, at its own moment", () => {
    const times = recordedSeries()[0]?.samples.map(([atMs]) => atMs);
    expect(snapshots.map(({ at }) => at)).toEqual(times);
    expect([...incomplete]).toEqual([]);
    for (const each of snapshots) expect(snapshotSchema.safeParse(each).error).toBeUndefined();
  });

  it("holds what the kernel counts, in KiB, and leaves out what Prometheus does not have", () => {
    const [first] = snapshots;
    expect(first).toMatchObject({
      node: "127.0.0.1",
      bootId: "btime-1796024933",
      kernelRelease: "6.18.44-fc-v657",
      cpus: 2,
      pageSizeBytes: 4096,
      labels: { imported: "prometheus" },
      sources: { zoneinfo: { status: "absent" }, slabinfo: { status: "absent" } },
    });
    expect(first?.meminfo.MemTotal).toBe(24_684_092);
    expect(Object.keys(first?.meminfo ?? {})).toEqual(
      expect.arrayContaining(["Active(anon)", "HugePages_Total"]),
    );
    expect(first?.uptimeSeconds).toBeCloseTo(Number(first?.at) / 1000 - 1_796_024_933, 3);
    for (const absent of ["pcpFreePages", "cgroups", "containersStarted", "containersLive", "slab"]) {
      expect(first).not.toHaveProperty(absent);
    }
  });

  it("adds up to MemTotal, the per-CPU lists inside unaccounted, and says so", () => {
    const [first] = snapshots;
    const composed = composeMemory({ meminfo: (key) => first?.meminfo[key] });
    const sum = Object.values(composed?.bands ?? {}).reduce((total: number, band) => total + (band ?? 0), 0);
    expect(sum).toBe(first?.meminfo.MemTotal);
    expect(composed?.bands.pcp).toBeUndefined();
    const folded = composed?.notes.find(({ kind }) => kind === "folded");
    expect(folded).toMatchObject({ terms: expect.arrayContaining(["pcp"]) as unknown });
  });

  it("has slab caches where they are exported", () => {
    const slab = readMatrix(recordedAnswer("slab-range").data) ?? [];
    const last = assemble([...recordedSeries(), ...slab]).snapshots.at(-1);
    const dentry = last?.slab?.find(({ name }) => name === "dentry");
    expect(dentry?.objSizeBytes).toBe(192);
    // 21 objects of 192 bytes in a page.
    expect(dentry?.sizeKib).toBe(Math.ceil((dentry?.numObjs ?? 0) / 21) * 4);
  });

  it("has file handles where their number and limit were scraped, also where there is no limit", () => {
    const told = (name: string, value: number): SeriesSamples => ({
      labels: { __name__: name, instance: "127.0.0.1:19100", job: "node" },
      samples: (recordedSeries()[0]?.samples ?? []).map(([atMs]) => [atMs, value]),
    });
    const handles = (...more: SeriesSamples[]) => assemble([...recordedSeries(), ...more]).snapshots[0]?.fs;
    const allocated = told("node_filefd_allocated", 1504);
    expect(handles(allocated, told("node_filefd_maximum", 812_000))).toEqual({
      fileNr: { allocated: 1504, max: 812_000 },
    });
    expect(handles(allocated, told("node_filefd_maximum", 9.223372036854776e18))).toEqual({
      fileNr: { allocated: 1504, max: Number.MAX_SAFE_INTEGER },
    });
    expect(handles(allocated)).toBeUndefined();
  });

  it("is read the same from the API's other answers", () => {
    expect(readLabelSets(recordedAnswer("series").data)).toEqual([
      { __name__: "node_memory_MemTotal_bytes", instance: "127.0.0.1:19100", job: "node" },
    ]);
    expect(openAnswer(recordedAnswer("bad-query"))).toMatchObject({ errorType: "bad_data" });
  });
});

describe("moments", () => {
  const scrape = (atMs: number, bootTime = 1000, extra: Record<string, number> = {}): SeriesSamples[] =>
    Object.entries({
      node_memory_MemTotal_bytes: 4096 * 1024,
      node_memory_MemFree_bytes: 1024 * 1024,
      node_boot_time_seconds: bootTime,
      ...extra,
    })
      .map(([name, value]): SeriesSamples => ({
        labels: { __name__: name, instance: "n:9100" },
        samples: [[atMs, value]],
      }))
      .concat({
        labels: { __name__: "node_cpu_seconds_total", cpu: "0", mode: "idle", instance: "n:9100" },
        samples: [[atMs, 5]],
      });

  it("are not made up where nothing was scraped, nor taken from outside of the range", () => {
    const series = [scrape(2_000_000), scrape(9_000_000), scrape(10_000_000)].flat();
    const range = { fromMs: 2_000_000, toMs: 10_000_000 };
    expect(assemble(series, undefined, range).snapshots.map(({ at }) => at)).toEqual([2_000_000, 9_000_000]);
  });

  it("without the time of the boot are no snapshots: a reboot could not be told", () => {
    const series = scrape(2_000_000).filter(({ labels }) => labels.__name__ !== "node_boot_time_seconds");
    const { snapshots, incomplete } = assemble(series);
    expect(snapshots).toEqual([]);
    expect([...incomplete]).toEqual([["node_boot_time_seconds", 1]]);
  });

  it("are of another boot once the time of the boot has changed", () => {
    const { snapshots } = assemble([...scrape(2_000_000, 1000), ...scrape(3_000_000, 2500)]);
    expect(snapshots.map(({ bootId }) => bootId)).toEqual(["btime-1000", "btime-2500"]);
  });

  it("take the newest counts of containers of the same host, which are scraped at other moments", () => {
    const kubelet: SeriesSamples[] = ["container", "init_container"].map((type) => ({
      labels: {
        __name__: "kubelet_started_containers_total",
        container_type: type,
        instance: "n:10250",
        node: "worker-7",
      },
      samples: [
        [2_010_000, 40],
        [2_070_000, 42],
        [2_130_000, 1],
      ],
    }));
    const scrapes = [2_000_000, 2_060_000, 2_120_000, 2_180_000, 2_600_000].flatMap((atMs) => scrape(atMs));
    const { snapshots } = assemble([...scrapes, ...kubelet]);
    // Before the first, then 40 + 40, 42 + 42, after a restart of kubelet 1 + 1 more; at last too old to be used.
    expect(snapshots.map(({ containersStarted }) => containersStarted)).toEqual([
      undefined,
      80,
      84,
      86,
      undefined,
    ]);
    expect(new Set(snapshots.map(({ node }) => node))).toEqual(new Set(["n"]));
  });
});

test("started containers never fall within a boot, however the counters are reset", () => {
  const readings = fc.array(fc.record({ value: fc.nat(1000), source: fc.constantFrom("kubelet", "crio") }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(readings, (all) => {
      let before: StartedTotal | undefined;
      for (const each of all) {
        const next = continueStarted(before, { ...each, bootTimeMs: 5000 });
        expect(next.total).toBeGreaterThanOrEqual(before?.total ?? 0);
        before = next;
      }
    }),
  );
});

describe("the name of a node", () => {
  test.each([
    ["10.0.0.7:9100", "10.0.0.7"],
    ["node-7", "node-7"],
    ["[fd00::7]:9100", "fd00::7"],
    ["fd00::7", "fd00::7"],
  ])("%s is the host %s", (instance, host) => {
    expect(hostOfInstance(instance)).toBe(host);
  });

  it("is the label that was named, else node, else the instance without its port", () => {
    const labels = {
      __name__: "node_memory_MemFree_bytes",
      instance: "10.0.0.7:9100",
      node: "worker",
      host: "h",
    };
    expect(identifyNode(labels)).toEqual({ name: "worker", host: "10.0.0.7" });
    expect(identifyNode(labels, "host")).toEqual({ name: "h", host: "10.0.0.7" });
    expect(identifyNode(labels, "nosuch")).toBeUndefined();
    expect(identifyNode({ __name__: "up" })).toBeUndefined();
  });

  it("is not the number of a NUMA node", () => {
    const zone = { __name__: "node_zoneinfo_managed_pages", instance: "a:9100", node: "0", zone: "Normal" };
    expect(identifyNode(zone)?.name).toBe("a");
    expect(identifyNode({ ...zone, node: "worker", exported_node: "0" })?.name).toBe("worker");
  });
});

test("answers of any form are refused, never thrown at", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      openAnswer(value);
      readLabelSets(value);
      readMatrix(value);
      readMatrix({ resultType: "matrix", result: value });
      readMatrix({ resultType: "matrix", result: [{ metric: {}, values: value }] });
    }),
  );
});
