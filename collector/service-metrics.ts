import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { LogEvent } from "#lib/domain/kernel-log/log-reader.ts";
import type { SourceReport } from "#lib/domain/snapshot/take-source.ts";
import { codeOf, messageOf } from "./log.ts";
import { parsePrometheusText, type MetricSample } from "./prometheus-text.ts";
import { readBody } from "./read-body.ts";
import { elapsedMs } from "./read-sources.ts";

/** Where a program tells its metrics, and how to be let in. */
export interface MetricsAddress {
  readonly of: "kubelet" | "runtime";
  readonly url: URL;
  /** Read anew each time: tokens of service accounts are replaced. */
  readonly tokenFile: string | undefined;
  readonly caFile: string | undefined;
  /** Any certificate is taken; the kubelet's own is often signed by itself. */
  readonly insecure: boolean;
}

/** What one answer says. */
export interface ServiceCounts {
  /** `kubelet.evictions`, `runtime.createdContainers` ...: since that program began. */
  readonly counts: Readonly<Record<string, number>>;
  /** Containers it has started since it began, and by which metric. */
  readonly started: { readonly count: number; readonly by: string } | undefined;
  /** Whether the node is short of memory, where it is told. */
  readonly memoryPressure: boolean | undefined;
}

const ANSWER_WITHIN_MS = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Asks once. Never rejects: why there is no answer stands in the report. */
export async function readServiceMetrics(
  address: MetricsAddress,
  stop: AbortSignal,
): Promise<{ read: ServiceCounts | undefined; report: SourceReport }> {
  const startedAt = performance.now();
  const readMs = () => elapsedMs(startedAt);
  try {
    const { status, text } = await get(address, stop);
    if (status === 401 || status === 403) {
      return {
        read: undefined,
        report: { status: "denied", detail: `answered ${status}`, readMs: readMs() },
      };
    }
    if (status !== 200) {
      return {
        read: undefined,
        report: { status: "malformed", detail: `answered ${status}`, readMs: readMs() },
      };
    }
    const samples = parsePrometheusText(text, (name) => WANTED.has(name));
    if (samples.length === 0) {
      const detail = "the answer holds none of the metrics that are looked for";
      return { read: undefined, report: { status: "malformed", detail, readMs: readMs() } };
    }
    return { read: countServices(address.of, samples), report: { status: "ok", readMs: readMs() } };
  } catch (error) {
    const status = ["EACCES", "EPERM"].includes(codeOf(error) ?? "") ? "denied" : "absent";
    return { read: undefined, report: { status, detail: messageOf(error).slice(0, 200), readMs: readMs() } };
  }
}

/** Metrics by what they are called here; those of one name are added up over their labels. The first that is there counts. */
const KUBELET: Readonly<Record<string, readonly Selection[]>> = {
  startedContainers: [
    { name: "kubelet_started_containers_total" },
    // Before 1.19 the kubelet counted what it asked the runtime for.
    { name: "kubelet_runtime_operations_total", label: "operation_type", values: ["create_container"] },
    { name: "kubelet_runtime_operations", label: "operation_type", values: ["create_container"] },
  ],
  startedPods: [
    { name: "kubelet_started_pods_total" },
    { name: "kubelet_runtime_operations_total", label: "operation_type", values: ["run_podsandbox"] },
  ],
  startedContainersErrors: [{ name: "kubelet_started_containers_errors_total" }],
  restartedPods: [{ name: "kubelet_restarted_pods_total" }],
  orphanedPods: [{ name: "kubelet_orphaned_runtime_pods_total" }],
  execs: [
    {
      name: "kubelet_runtime_operations_total",
      label: "operation_type",
      values: ["exec", "exec_sync"],
    },
  ],
  evictions: [{ name: "kubelet_evictions" }],
  memoryEvictions: [
    {
      name: "kubelet_evictions",
      label: "eviction_signal",
      values: ["memory.available", "allocatableMemory.available"],
    },
  ],
};

const RUNTIME: Readonly<Record<string, readonly Selection[]>> = {
  createdContainers: [
    { name: "crio_operations_total", label: "operation", values: ["CreateContainer"] },
    { name: "crio_operations_total", label: "operation_type", values: ["CreateContainer"] },
    { name: "crio_operations", label: "operation_type", values: ["CreateContainer"] },
    { name: "container_runtime_crio_operations_total", label: "operation", values: ["CreateContainer"] },
    { name: "container_runtime_crio_operations", label: "operation_type", values: ["CreateContainer"] },
    { name: "containerd_cri_container_create_seconds_count" },
  ],
  createdPods: [
    { name: "crio_operations_total", label: "operation", values: ["RunPodSandbox"] },
    { name: "crio_operations", label: "operation_type", values: ["RunPodSandbox"] },
    { name: "containerd_cri_sandbox_runtime_create_seconds_count" },
  ],
  removedContainers: [
    { name: "crio_operations_total", label: "operation", values: ["RemoveContainer"] },
    { name: "crio_operations", label: "operation_type", values: ["RemoveContainer"] },
    { name: "containerd_cri_container_remove_seconds_count" },
  ],
  execs: [
    { name: "crio_operations_total", label: "operation", values: ["ExecSync", "Exec"] },
    { name: "crio_operations", label: "operation_type", values: ["ExecSync", "Exec"] },
  ],
};

interface Selection {
  readonly name: string;
  readonly label?: string;
  readonly values?: readonly string[];
}

const CONDITION = "kube_node_status_condition";
const WANTED: ReadonlySet<string> = new Set([
  CONDITION,
  ...[KUBELET, RUNTIME].flatMap((table) =>
    Object.values(table).flatMap((each) => each.map(({ name }) => name)),
  ),
]);

/** What samples say, under the names used here. Pure. */
export function countServices(of: MetricsAddress["of"], samples: readonly MetricSample[]): ServiceCounts {
  const counts: Record<string, number> = {};
  let started: ServiceCounts["started"];
  for (const [key, selections] of Object.entries(of === "kubelet" ? KUBELET : RUNTIME)) {
    for (const { name, label, values } of selections) {
      const chosen = samples.filter(
        (sample) =>
          sample.name === name &&
          (label === undefined || values?.includes(sample.labels[label] ?? "") === true),
      );
      if (chosen.length === 0) continue;
      const count = Math.round(chosen.reduce((sum, { value }) => sum + value, 0));
      if (!Number.isSafeInteger(count) || count < 0) break;
      counts[`${of}.${key}`] = count;
      if (key === "startedContainers" || key === "createdContainers") started = { count, by: name };
      break;
    }
  }
  const pressure = samples.find(
    ({ name, labels }) =>
      name === CONDITION && labels.condition === "MemoryPressure" && labels.status === "true",
  );
  return { counts, started, memoryPressure: pressure && pressure.value > 0 };
}

/** What changed between two answers and is worth a mark. A counter that fell began anew, and tells nothing. */
export function noticeServices(
  before: ServiceCounts | undefined,
  now: ServiceCounts,
  { atMs, bootId }: { atMs: number; bootId: string },
): LogEvent[] {
  if (before === undefined) return [];
  const events: LogEvent[] = [];
  const evicted = growthOf("kubelet.memoryEvictions", before, now);
  const evictedAtAll = growthOf("kubelet.evictions", before, now);
  if (evictedAtAll > 0) {
    const pods = evictedAtAll === 1 ? "a pod" : `${evictedAtAll} pods`;
    events.push({
      id: `kubelet-evictions:${bootId}:${now.counts["kubelet.evictions"] ?? 0}`,
      atMs,
      patternId: "kubelet-evictions",
      kind: "eviction",
      severity: "critical",
      by: "service",
      title: `The kubelet evicted ${pods}${evicted > 0 ? " for want of memory" : ""}`,
      text: `kubelet_evictions rose from ${before.counts["kubelet.evictions"] ?? 0} to ${now.counts["kubelet.evictions"] ?? 0}, ${evicted} of them for memory.\n\nThe kubelet does not see kernel memory: compare what it evicts for with what is unreclaimable.`,
      subject: "",
    });
  }
  if (now.memoryPressure === true && before.memoryPressure === false) {
    events.push({
      id: `memory-pressure:${bootId}:${Math.round(atMs / 60_000)}`,
      atMs,
      patternId: "memory-pressure",
      kind: "memory-pressure",
      severity: "warning",
      by: "service",
      title: "The node is under MemoryPressure",
      text: `${CONDITION}{condition="MemoryPressure",status="true"} became 1.`,
      subject: "",
    });
  }
  return events;
}

function growthOf(key: string, before: ServiceCounts, now: ServiceCounts): number {
  const [earlier, later] = [before.counts[key], now.counts[key]];
  // A kubelet names a kind of eviction only once it has evicted for it.
  if (later === undefined || before.counts["kubelet.startedContainers"] === undefined) return 0;
  const restarted =
    (now.counts["kubelet.startedContainers"] ?? 0) < before.counts["kubelet.startedContainers"];
  return restarted ? 0 : Math.max(0, later - (earlier ?? 0));
}

function get(address: MetricsAddress, stop: AbortSignal): Promise<{ status: number; text: string }> {
  const { url, tokenFile, caFile, insecure } = address;
  const headers: Record<string, string> = { accept: "text/plain; version=0.0.4" };
  if (tokenFile !== undefined) headers.authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  return new Promise((resolve, reject) => {
    const tls = {
      rejectUnauthorized: !insecure,
      ...(caFile !== undefined && { ca: readFileSync(caFile) }),
    };
    const request =
      url.protocol === "https:"
        ? https.get(url, { headers, signal, ...tls })
        : http.get(url, { headers, signal });
    request.on("error", reject);
    request.on("response", (response) => {
      readBody(request, response, MOST_BYTES).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
  });
}
