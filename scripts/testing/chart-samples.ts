import { BANDS } from "#lib/domain/memory/bands.ts";
import type { Annotation, Effect } from "#lib/contracts/annotation.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import type { CompositionSeries, MetricSeries } from "#lib/contracts/series.ts";
import type { Trend } from "#lib/contracts/trend.ts";

/** Small answers of the API with known numbers, for tests of models and components. */

const GIB = 1024 * 1024;
export const SAMPLE_NOW_MS = Date.parse("2026-12-03T14:20:00Z");
const STEP_MS = 5 * 60_000;

interface Shape {
  /** Samples, the newest at {@link SAMPLE_NOW_MS}. */
  readonly count?: number;
  readonly totalKib?: number;
  /** Growth of unreclaimable slab up to `stopAt`, KiB a sample. */
  readonly growthKib?: number;
  /** Index of the sample from which nothing grows. */
  readonly stopAt?: number;
  /** Index of the first sample of a second boot. */
  readonly rebootAt?: number;
  /** Indexes left out, as a gap. */
  readonly gap?: readonly [number, number];
}

export function sampleComposition(shape: Shape = {}): CompositionSeries {
  const { count = 289, totalKib = 188 * GIB, growthKib = 26_000, stopAt = count, rebootAt, gap } = shape;
  const indexes = Array.from({ length: count }, (_, index) => index).filter(
    (index) => !gap || index < gap[0] || index > gap[1],
  );
  const startMs = SAMPLE_NOW_MS - (count - 1) * STEP_MS;
  const grown = (index: number) => {
    const start = rebootAt !== undefined && index >= rebootAt ? rebootAt : 0;
    return Math.max(0, Math.min(index, stopAt) - start) * growthKib;
  };
  const base: Readonly<Record<string, number | null>> = {
    pcp: 80_000,
    file: 600_000,
    buffers: 60_000,
    shmem: 20_000,
    anon: 680_000,
    srecl: 250_000,
    kstack: 12_000,
    ptables: 20_000,
    percpu: 900_000,
    vmalloc: null,
    hugetlb: 0,
    other: 0,
    unacc: -40_000,
  };
  const columns = new Map<string, (number | null)[]>(BANDS.map((band) => [band.key, []]));
  for (const index of indexes) {
    const values: Record<string, number | null> = { ...base, sunrecl: 1_000_000 + grown(index) };
    values["file"] = 600_000 + ((index * 7919) % 40_000);
    const used = Object.values(values).reduce<number>((sum, value) => sum + (value ?? 0), 0);
    values["free"] = totalKib - used;
    for (const [key, column] of columns) column.push(values[key] ?? null);
  }
  const pick = (keys: readonly string[]) =>
    indexes.map((_, at) => keys.reduce((sum, key) => sum + (columns.get(key)?.[at] ?? 0), 0));
  const kernel = pick(["sunrecl", "kstack", "ptables", "percpu", "vmalloc", "unacc"]);
  return {
    nodeId: 7,
    from: startMs,
    to: SAMPLE_NOW_MS,
    timesMs: indexes.map((index) => startMs + index * STEP_MS),
    gaps: gap ? [{ from: startMs + (gap[0] - 1) * STEP_MS, to: startMs + (gap[1] + 1) * STEP_MS }] : [],
    reboots:
      rebootAt === undefined
        ? []
        : [
            {
              at: startMs + rebootAt * STEP_MS,
              bootId: "b2",
              lastSampleAt: startMs + (rebootAt - 1) * STEP_MS,
            },
          ],
    resolution: { source: "5min", bucketSeconds: 300 },
    bands: BANDS.map((band) => ({
      key: band.key,
      label: band.label,
      valuesKib: columns.get(band.key) ?? [],
      reported: band.key !== "vmalloc",
    })),
    totalKib: indexes.map(() => totalKib),
    kernelNoncacheKib: kernel,
    kernelUnreclaimableKib: kernel,
    notes: [],
  };
}

export function sampleSeries(shape: Shape & { readonly perSample?: number } = {}): MetricSeries {
  const composition = sampleComposition(shape);
  const { perSample = 350, stopAt = Infinity } = shape;
  const started = composition.timesMs.map((_, index) => Math.min(index, stopAt) * perSample);
  const line = (metric: string, unit: string, kind: "gauge" | "counter", values: (number | null)[]) => ({
    metric,
    label: metric,
    unit,
    kind,
    values,
  });
  return {
    nodeId: 7,
    from: composition.from,
    to: composition.to,
    timesMs: composition.timesMs,
    gaps: composition.gaps,
    reboots: composition.reboots,
    resolution: composition.resolution,
    series: [
      line("containers.started", "containers", "counter", started),
      line(
        "cgroup.memory.live",
        "cgroups",
        "gauge",
        started.map(() => 131),
      ),
      line(
        "cgroup.memory.dying",
        "cgroups",
        "gauge",
        started.map((value) => 1000 + value),
      ),
      line("watch./run/crio/exits.files", "files", "gauge", started),
    ],
  };
}

export function sampleTrend(change: Partial<Trend> = {}): Trend {
  return {
    metric: "total.kernelUnreclaimable",
    unit: "KiB",
    from: SAMPLE_NOW_MS - 86_400_000,
    to: SAMPLE_NOW_MS,
    verdict: "leaking",
    text: "Unreclaimable kernel memory grows 312 MiB/h (95 %: 298–327).",
    slopePerHour: 312 * 1024,
    ci95: [298 * 1024, 327 * 1024],
    pValue: 1e-9,
    n: 289,
    method: "theil-sen",
    phi: 0.4,
    boots: [],
    exhaustion: null,
    ...change,
  };
}

export function sampleAnnotation(change: Partial<Annotation> = {}): Annotation {
  return {
    annotationId: 1,
    at: SAMPLE_NOW_MS - 10 * 3_600_000,
    endsAt: null,
    scope: { nodes: [7] },
    nodeIds: [7],
    controls: "auto",
    controlNodeIds: [],
    kind: "intervention",
    title: "pull-monitor stopped",
    text: null,
    tags: [],
    author: "r.hale",
    madeBy: "person",
    createdAt: SAMPLE_NOW_MS,
    updatedAt: SAMPLE_NOW_MS,
    deletedAt: null,
    ...change,
  };
}

export function sampleEffect(change: Partial<Effect> = {}): Effect {
  const at = SAMPLE_NOW_MS - 10 * 3_600_000;
  return {
    annotationId: 1,
    nodeId: 7,
    at,
    metric: "total.kernelUnreclaimable",
    unit: "KiB",
    method: "segmented regression",
    before: {
      from: at - 6 * 3_600_000,
      to: at,
      n: 72,
      slopePerHour: 312 * 1024,
      ci95: [298 * 1024, 327 * 1024],
    },
    after: { from: at, to: at + 6 * 3_600_000, n: 72, slopePerHour: 4 * 1024, ci95: [-6 * 1024, 13 * 1024] },
    slopeChange: { perHour: -308 * 1024, ci95: [-325 * 1024, -291 * 1024] },
    levelChange: { value: -8 * 1024, ci95: [-26 * 1024, 10 * 1024] },
    slopeVerdict: "stopped",
    levelVerdict: "none",
    controls: null,
    text: "Kernel memory grew 312 MiB/h until pull-monitor was stopped, and 4 MiB/h after: stopped.",
    enoughAt: null,
    ...change,
  };
}

export function sampleNode(change: Partial<NodeSummary> = {}): NodeSummary {
  const trend = change.trend === undefined ? sampleTrend() : change.trend;
  return {
    nodeId: 7,
    cluster: "athena",
    name: "magnesia",
    labels: {},
    simulated: false,
    kernelRelease: "4.19.0-6",
    cpus: 32,
    pageSizeBytes: 4096,
    versions: { "cri-o": "1.15.2", runc: "1.0.0-rc9" },
    cgroupMode: "v1",
    bootId: "b1",
    bootedAt: SAMPLE_NOW_MS - 3 * 86_400_000,
    firstSeenAt: SAMPLE_NOW_MS - 30 * 86_400_000,
    lastSeenAt: SAMPLE_NOW_MS - 3_000,
    silent: false,
    conflict: false,
    memTotalKib: 188 * GIB,
    memAvailableKib: 170 * GIB,
    bands: { free: 160 * GIB, anon: GIB, file: GIB, sunrecl: 5 * GIB, percpu: 14 * GIB, shmem: GIB },
    kernelNoncacheKib: 20 * GIB,
    kernelUnreclaimableKib: 20 * GIB,
    containersPerHour: 4120,
    containersLive: 40,
    cgroups: { count: 227_000, live: 131, dying: 226_869, idsHeld: 131, idLimit: 65_535 },
    watch: [],
    sources: {},
    blindSources: [],
    collector: null,
    sparkline: {
      timesMs: Array.from({ length: 48 }, (_, index) => SAMPLE_NOW_MS - (47 - index) * 1_800_000),
      valuesKib: Array.from({ length: 48 }, (_, index) => 14 * GIB + index * 130_000),
    },
    trend,
    timeLeft: trend?.exhaustion ? [trend.exhaustion] : null,
    findings: [],
    ...change,
  };
}
