import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { BANDS } from "./bands.ts";
import { METRICS, METRIC_FAMILIES, metricKey, parseMetric } from "./metrics.ts";

describe("METRICS", () => {
  it("has every band, and each name once", () => {
    const keys = METRICS.map((metric) => metric.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { key } of BANDS) expect(keys).toContain(`band.${key}`);
    expect(keys).toEqual(
      expect.arrayContaining([
        "total.kernelNoncache",
        "total.kernelUnreclaimable",
        "cgroup.memory.count",
        "cgroup.memory.live",
        "cgroup.memory.dying",
        "containers.started",
        "containers.live",
        "stat.forks",
      ]),
    );
  });

  it("is what parseMetric gives", () => {
    for (const metric of METRICS) expect(parseMetric(metric.key)).toBe(metric);
    expect(METRICS.filter((metric) => metric.kind === "counter").map((metric) => metric.key)).toEqual([
      "containers.started",
      "stat.forks",
      "pressure.memory.some.totalUs",
      "pressure.memory.full.totalUs",
      "creators.seen",
      "creators.made",
    ]);
  });
});

describe("parseMetric", () => {
  it("reads names of caches and directories with dots and slashes", () => {
    expect(parseMetric("slab.kmalloc-1k.bytes")).toMatchObject({ unit: "bytes", kind: "gauge" });
    expect(parseMetric("slab.ip6_dst_cache(0:18.a/b).objects")?.source).toEqual({
      family: "slab",
      cache: "ip6_dst_cache(0:18.a/b)",
      measure: "objects",
    });
    expect(parseMetric("watch./run/crio/exits.d/v1.2.files")?.source).toEqual({
      family: "watch",
      directory: "/run/crio/exits.d/v1.2",
      measure: "files",
    });
    expect(parseMetric("tmpfs./run.inodes")).toMatchObject({ unit: "count", source: { mount: "/run" } });
    expect(parseMetric("tmpfs./run.usedKib")).toMatchObject({ unit: "KiB" });
    expect(parseMetric("slab.bytes.bytes")?.source).toMatchObject({ cache: "bytes" });
  });

  it("knows what the kernel's counters are", () => {
    expect(parseMetric("meminfo.Active(anon)")).toMatchObject({ unit: "KiB", kind: "gauge" });
    expect(parseMetric("meminfo.HugePages_Free")).toMatchObject({ unit: "count", kind: "gauge" });
    expect(parseMetric("vmstat.nr_zspages")).toMatchObject({ unit: "pages", kind: "gauge" });
    expect(parseMetric("vmstat.nr_kernel_stack")).toMatchObject({ unit: "KiB", kind: "gauge" });
    expect(parseMetric("vmstat.nr_foll_pin_acquired")).toMatchObject({ unit: "count", kind: "counter" });
    expect(parseMetric("vmstat.oom_kill")).toMatchObject({ unit: "count", kind: "counter" });
  });

  it.each([
    ...["", ".", "meminfo", "meminfo.", "meminfo.a b", "vmstat.", "slab.x", "slab..bytes", "slab.x.kib"],
    ...[
      "watch.files",
      "watch./a.inodes",
      "tmpfs./a.files",
      "band.nothing",
      "cgroup.memory",
      "unknown.x.bytes",
    ],
    ...[
      "meminfo.a\u0000b",
      "slab.a\nb.bytes",
      `slab.${"x".repeat(201)}.bytes`,
      `watch.${"x".repeat(1001)}.files`,
    ],
    ...["__proto__", "constructor", "meminfo.a\u2028b c"],
  ])("knows no metric %j", (name) => {
    expect(parseMetric(name)).toBe(undefined);
  });

  it("gives back the source of every name that it reads", () => {
    const part = fc.string({ minLength: 1, maxLength: 60 });
    const name = fc
      .tuple(
        fc.constantFrom("meminfo", "vmstat", "slab", "watch", "tmpfs", "band"),
        part,
        fc.constantFrom("", ".bytes", ".objects", ".files", ".inodes", ".usedKib"),
      )
      .map(([family, subject, measure]) => `${family}.${subject}${measure}`);
    fc.assert(
      fc.property(name, (key) => {
        const metric = parseMetric(key);
        if (metric !== undefined) expect(metricKey(metric.source)).toBe(key);
      }),
    );
  });

  it("reads an example of every family, with the family's unit and kind", () => {
    for (const family of METRIC_FAMILIES) {
      const metric = parseMetric(family.key.replace(/<.*>/, "x"));
      expect([metric?.unit, metric?.kind], family.key).toEqual([family.unit, family.kind]);
    }
  });
});
