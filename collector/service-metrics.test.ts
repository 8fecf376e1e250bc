import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parsePrometheusText } from "./prometheus-text.ts";
import { countServices, noticeServices, readServiceMetrics } from "./service-metrics.ts";
import { createServiceScraper } from "./service-scraper.ts";
import { advanceStarted, parseStartedState } from "./started-count.ts";

const all = () => true;
const KUBELET = `# HELP kubelet_evictions [ALPHA] Cumulative number of pod evictions by eviction signal
# TYPE kubelet_evictions counter
kubelet_evictions{eviction_signal="memory.available"} 3
kubelet_evictions{eviction_signal="nodefs.available"} 2
kubelet_running_containers{container_state="running"} 41
kubelet_started_containers_total{container_type="container"} 4200
kubelet_started_containers_total{container_type="init_container"} 17
kubelet_started_pods_total 1.9e+03
kubelet_runtime_operations_total{operation_type="exec_sync"} 77
kubelet_runtime_operations_total{operation_type="create_container"} 4300
kube_node_status_condition{node="node-1",condition="MemoryPressure",status="true"} 0
`;

const servers: Server[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function serve(answer: (authorization: string | undefined) => { status: number; body: string }) {
  const server = createServer((request, response) => {
    const { status, body } = answer(request.headers.authorization);
    response.writeHead(status).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
}

const address = (url: URL, tokenFile?: string) => ({
  of: "kubelet" as const,
  url,
  tokenFile,
  caFile: undefined,
  insecure: false,
});
const never = new AbortController().signal;

describe("parsePrometheusText", () => {
  it("reads names, labels with escapes, numbers of every form, and passes over the rest", () => {
    expect(
      parsePrometheusText(
        [
          "# TYPE a counter",
          "a 1",
          'a{x="1",y="a \\"b\\" \\\\ \\n c",} 2.5e3 1700000000000',
          "a{} +Inf",
          'a_bucket{le="+Inf"} 7 # {trace_id="x"} 0.5',
          'broken{x="1 3',
          "nan NaN",
          "no value",
          "",
        ].join("\r\n".slice(1)),
        all,
      ),
    ).toEqual([
      { name: "a", labels: {}, value: 1 },
      { name: "a", labels: { x: "1", y: 'a "b" \\ \n c' }, value: 2500 },
      { name: "a", labels: {}, value: Infinity },
      { name: "a_bucket", labels: { le: "+Inf" }, value: 7 },
    ]);
  });

  it("gives only what is wanted", () => {
    expect(parsePrometheusText(KUBELET, (name) => name === "kubelet_started_pods_total")).toEqual([
      { name: "kubelet_started_pods_total", labels: {}, value: 1900 },
    ]);
  });
});

describe("countServices", () => {
  it("reads the kubelet's counters", () => {
    expect(countServices("kubelet", parsePrometheusText(KUBELET, all))).toEqual({
      counts: {
        "kubelet.startedContainers": 4217,
        "kubelet.startedPods": 1900,
        "kubelet.execs": 77,
        "kubelet.evictions": 5,
        "kubelet.memoryEvictions": 3,
      },
      started: { count: 4217, by: "kubelet_started_containers_total" },
      memoryPressure: false,
    });
  });

  it.each([
    ['crio_operations{operation_type="CreateContainer"} 12', "crio_operations"],
    ['crio_operations_total{operation="CreateContainer"} 12', "crio_operations_total"],
    [
      'containerd_cri_container_create_seconds_count{runtime="io.containerd.runc.v2"} 12',
      "containerd_cri_container_create_seconds_count",
    ],
  ])("reads what a runtime created from %s", (text, by) => {
    expect(countServices("runtime", parsePrometheusText(text, all)).started).toEqual({ count: 12, by });
  });

  it("takes what older kubelets counted for want of better", () => {
    const text = 'kubelet_runtime_operations{operation_type="create_container"} 9';
    expect(countServices("kubelet", parsePrometheusText(text, all)).started?.count).toBe(9);
  });
});

describe("noticeServices", () => {
  const counted = (text: string) => countServices("kubelet", parsePrometheusText(text, all));
  const place = { atMs: 1000, bootId: "b" };
  const before = counted(KUBELET);

  it("tells evictions and MemoryPressure", () => {
    const now = counted(
      KUBELET.replace('memory.available"} 3', 'memory.available"} 5').replace(
        'status="true"} 0',
        'status="true"} 1',
      ),
    );
    expect(noticeServices(before, now, place)).toMatchObject([
      { kind: "eviction", title: "The kubelet evicted 2 pods for want of memory" },
      { kind: "memory-pressure", title: "The node is under MemoryPressure" },
    ]);
  });

  it("tells nothing at first, nor of a kubelet that began anew", () => {
    expect(noticeServices(undefined, before, place)).toEqual([]);
    const anew = counted(
      KUBELET.replace("} 4200", "} 3").replace('memory.available"} 3', 'memory.available"} 1'),
    );
    expect(noticeServices(before, anew, place)).toEqual([]);
  });
});

describe("createServiceScraper", () => {
  it("is let in with a token that is read each time, and says who counts", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "service-metrics-"));
    folders.push(folder);
    const tokenFile = path.join(folder, "token");
    writeFileSync(tokenFile, "old\n");
    const url = await serve((authorization) =>
      authorization === "Bearer new" ? { status: 200, body: KUBELET } : { status: 401, body: "" },
    );
    const scraper = createServiceScraper([address(url, tokenFile)], { now: () => 1000, bootId: "b" });
    await scraper.refresh(never);
    expect(scraper.told()).toMatchObject({
      counts: {},
      started: [],
      sources: { "kubelet-metrics": { status: "denied", detail: "answered 401" } },
    });
    writeFileSync(tokenFile, "new\n");
    await scraper.refresh(never);
    expect(scraper.told()).toMatchObject({
      sources: { "kubelet-metrics": { status: "ok" } },
      started: [
        { source: "kubelet", count: 4217, detail: "kubelet_started_containers_total of the kubelet" },
      ],
    });
  });

  it("says nothing of counts that are old", async () => {
    const url = await serve(() => ({ status: 200, body: KUBELET }));
    let nowMs = 1000;
    const scraper = createServiceScraper([address(url)], { now: () => nowMs, bootId: "b" });
    await scraper.refresh(never);
    nowMs += 6 * 60_000;
    expect(scraper.told()).toMatchObject({ counts: {}, started: [] });
  });

  it.each([
    [{ status: 200, body: "hello" }, "malformed"],
    [{ status: 500, body: "" }, "malformed"],
  ])("says that %j is no answer", async (answer, status) => {
    const url = await serve(() => answer);
    expect((await readServiceMetrics(address(url), never)).report.status).toBe(status);
  });

  it("says that nobody answers", async () => {
    const url = await serve(() => ({ status: 200, body: "" }));
    servers.splice(0).forEach((server) => server.close());
    expect((await readServiceMetrics(address(url), never)).report.status).toBe("absent");
  });
});

describe("advanceStarted", () => {
  const reading = (source: string, count: number) => ({ source, count, detail: source });
  const run = (readings: (readonly ReturnType<typeof reading>[])[], bootId = "b") => {
    let state: Parameters<typeof advanceStarted>[0];
    return readings.map((each) => {
      const counted = advanceStarted(state, bootId, each);
      state = counted?.state ?? state;
      return [counted?.reading.source, counted?.state.total];
    });
  };

  it("goes on over a change of source and over one that begins anew, and never falls", () => {
    expect(
      run([
        [reading("cgroups", 900)],
        [reading("cgroups", 910)],
        [reading("kubelet", 4200), reading("cgroups", 930)],
        [reading("kubelet", 4205), reading("cgroups", 940)],
        // The kubelet was restarted and has started two since.
        [reading("kubelet", 2), reading("cgroups", 950)],
        [],
        [reading("cgroups", 990)],
        [reading("cgroups", 991)],
      ]),
    ).toEqual([
      ["cgroups", 900],
      ["cgroups", 910],
      ["kubelet", 910],
      ["kubelet", 915],
      ["kubelet", 917],
      [undefined, undefined],
      ["cgroups", 917],
      ["cgroups", 918],
    ]);
  });

  it("begins anew with a boot, and with what is damaged", () => {
    const before = advanceStarted(undefined, "a", [reading("kubelet", 50)])?.state;
    expect(advanceStarted(before, "b", [reading("kubelet", 3)])?.state.total).toBe(3);
    expect(parseStartedState(JSON.stringify(before))).toEqual(before);
    expect(parseStartedState('{"bootId":"a","total":-1,"source":"x","last":0}')).toBeUndefined();
    expect(parseStartedState("x")).toBeUndefined();
  });
});
