import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { IngestReceipt } from "#lib/contracts/ingest.ts";
import type { SignatureCount } from "#lib/contracts/finding.ts";
import type { FleetNode } from "#lib/contracts/node.ts";
import type { RemoteWriteReceipt } from "#lib/server/services/accept-remote-write.ts";

/** Metrics of the server itself, and of the fleet. Names are stable: people alert on them. */
interface ServerMetrics {
  registry: Registry;
  requestSeconds: Histogram<"method" | "path" | "status">;
  snapshots: Counter<"outcome">;
  remoteWriteSamples: Counter<"outcome">;
}

const holderKey = Symbol.for("plumbline.metrics");
/** The entry and the routes are bundled apart and count into one registry. */
const holder = globalThis as typeof globalThis & { [holderKey]?: ServerMetrics };

function metrics(): ServerMetrics {
  return (holder[holderKey] ??= makeMetrics());
}

function makeMetrics(): ServerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: "plumbline_http_request_seconds",
      help: "Time from the request to the answer",
      labelNames: ["method", "path", "status"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    snapshots: new Counter({
      name: "plumbline_snapshots_total",
      help: "Snapshots received, by what became of them",
      labelNames: ["outcome"],
      registers: [registry],
    }),
    remoteWriteSamples: new Counter({
      name: "plumbline_remote_write_samples_total",
      help: "Samples received by remote write: kept, dropped because Plumbline needs no such series, or too old or ahead",
      labelNames: ["outcome"],
      registers: [registry],
    }),
  };
}

/** Counts what became of the samples of one request of remote write. */
export function countRemoteWrite(receipt: RemoteWriteReceipt): void {
  const { remoteWriteSamples } = metrics();
  remoteWriteSamples.inc({ outcome: "kept" }, receipt.kept);
  remoteWriteSamples.inc({ outcome: "dropped" }, receipt.dropped);
  remoteWriteSamples.inc({ outcome: "out_of_time" }, receipt.outOfTime);
}

/** Starts to measure one request; call the result with the status of its answer. */
export function startTimer({ method, path }: { method: string; path: string }): (status: number) => void {
  const end = metrics().requestSeconds.startTimer({ method, path });
  return (status) => {
    end({ status: String(status) });
  };
}

/** Counts what became of the snapshots of one request. */
export function countIngest({ accepted, duplicates, rejected }: IngestReceipt): void {
  const { snapshots } = metrics();
  snapshots.inc({ outcome: "accepted" }, accepted);
  snapshots.inc({ outcome: "duplicate" }, duplicates);
  for (const { code } of rejected) snapshots.inc({ outcome: code });
}

/** Everything in the text format of Prometheus; gauges of nodes are made from the list, so one that left is gone. */
export async function renderMetrics(
  nodes: readonly FleetNode[],
  signatures: readonly SignatureCount[],
): Promise<string> {
  const fleet = new Registry();
  const labelNames = ["cluster", "node"] as const;
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [fleet] });
  const unreclaimable = gauge(
    "plumbline_node_kernel_unreclaimable_kib",
    "Kernel memory that cannot be reclaimed, newest snapshot",
  );
  const noncache = gauge(
    "plumbline_node_kernel_noncache_kib",
    "Non-cache kernel memory as smem -w counts it",
  );
  const slope = gauge(
    "plumbline_node_kernel_slope_kib_per_hour",
    "Slope of unreclaimable kernel memory over the last 24 h",
  );
  const slopeLow = gauge(
    "plumbline_node_kernel_slope_low_kib_per_hour",
    "Lower end of the 95 % interval of the slope",
  );
  const lastSeen = gauge("plumbline_node_last_seen_seconds", "Time of the newest snapshot, epoch seconds");
  const verdict = new Gauge({
    name: "plumbline_node_trend_verdict",
    help: "1 for the verdict on the last 24 h of unreclaimable kernel memory",
    labelNames: [...labelNames, "verdict"],
    registers: [fleet],
  });
  const findings = new Gauge({
    name: "plumbline_findings",
    help: "Nodes on which a known leak, or what looks like one, was found, by its signature and state",
    labelNames: ["signature", "severity", "state"],
    registers: [fleet],
  });
  for (const { signature, severity, states } of signatures) {
    for (const [state, count] of Object.entries(states)) findings.set({ signature, severity, state }, count);
  }
  for (const { cluster, name, trend, ...node } of nodes) {
    const labels = { cluster, node: name };
    if (node.kernelUnreclaimableKib !== null) unreclaimable.set(labels, node.kernelUnreclaimableKib);
    if (node.kernelNoncacheKib !== null) noncache.set(labels, node.kernelNoncacheKib);
    lastSeen.set(labels, node.lastSeenAt / 1000);
    if (trend === null) continue;
    verdict.set({ ...labels, verdict: trend.verdict }, 1);
    if (trend.slopePerHour !== null) slope.set(labels, trend.slopePerHour);
    if (trend.ci95 !== null) slopeLow.set(labels, trend.ci95[0]);
  }
  return Registry.merge([metrics().registry, fleet]).metrics();
}
