import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import type { Labels } from "#lib/domain/prometheus/node-identity.ts";
import { readMatrix } from "#lib/domain/prometheus/query-answer.ts";

const RECORDED = path.join(import.meta.dirname, "../../fixtures/prometheus/2.42.0");

/** What a Prometheus 2.42.0 said of a node_exporter 1.5.0: the whole answer, parsed. */
export function recordedAnswer(name: string): { status: string; data: unknown } {
  return JSON.parse(readFileSync(path.join(RECORDED, `${name}.json`), "utf8")) as {
    status: string;
    data: unknown;
  };
}

/** The recorded series of one node. */
export function recordedSeries(): SeriesSamples[] {
  const series = readMatrix(recordedAnswer("node-range").data);
  if (series === undefined) throw new Error("the recorded answer is no matrix");
  return series;
}

/** A node as a Prometheus has it: the recorded one, told over another time. */
export interface ToldNode {
  readonly instance: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly everyMs: number;
  /** SUnreclaim grows, and MemFree falls, by so many bytes a sample. */
  readonly growthBytes?: number;
  /** Boots, epoch seconds: the value of node_boot_time_seconds from each on. */
  readonly bootedAt?: readonly number[];
  readonly labels?: Labels;
}

/** The recorded series with samples at other times: the first recorded value at each, but for what grows. */
export function tellSeries(node: ToldNode): SeriesSamples[] {
  const { fromMs, toMs, everyMs, growthBytes = 0, bootedAt = [Math.floor(fromMs / 1000) - 86_400] } = node;
  const times = Array.from(
    { length: Math.ceil((toMs - fromMs) / everyMs) },
    (_, index) => fromMs + index * everyMs,
  );
  return recordedSeries().map(({ labels, samples }) => {
    const value = samples[0]?.[1] ?? NaN;
    const name = labels.__name__ ?? "";
    const told = (atMs: number, index: number) => {
      if (name === "node_boot_time_seconds") return bootedAt.findLast((each) => each * 1000 <= atMs) ?? value;
      if (name === "node_memory_SUnreclaim_bytes") return value + index * growthBytes;
      return name === "node_memory_MemFree_bytes" ? value - index * growthBytes : value;
    };
    return {
      labels: { ...labels, ...node.labels, instance: node.instance },
      samples: times.map((atMs, index): [number, number] => [atMs, told(atMs, index)]),
    };
  });
}

export interface FakePrometheus {
  url: string;
  /** Paths and queries that were asked, in order. */
  asked: { path: string; query: URLSearchParams; authorization: string | undefined }[];
  /** Answers the next requests instead, one each; undefined lets one pass. */
  instead: (((response: ServerResponse) => void) | undefined)[];
  stop(): Promise<void>;
}

/** A server that answers as the HTTP API of Prometheus does, as far as an import asks. */
export async function startFakePrometheus(series: readonly SeriesSamples[]): Promise<FakePrometheus> {
  const fake: Pick<FakePrometheus, "asked" | "instead"> = { asked: [], instead: [] };
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    fake.asked.push({
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
    });
    const instead = fake.instead.shift();
    if (instead) {
      instead(response);
      return;
    }
    const data = answer(series, url);
    response.writeHead(data === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(data === undefined ? "not found" : JSON.stringify({ status: "success", data }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    ...fake,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(series: readonly SeriesSamples[], { pathname, searchParams }: URL): unknown {
  const time = (name: string) => Math.round(Number(searchParams.get(name)) * 1000);
  if (pathname === "/api/v1/series") {
    const selectors = searchParams.getAll("match[]").map(readSelector);
    return series
      .filter(
        ({ labels, samples }) =>
          selectors.some((fits) => fits(labels)) && within(samples, time("start"), time("end")).length > 0,
      )
      .map(({ labels }) => labels);
  }
  if (pathname === "/api/v1/query_range") {
    const fits = readSelector(searchParams.get("query") ?? "");
    const stepMs = Number(searchParams.get("step")) * 1000;
    return matrix(
      series.filter(({ labels }) => fits(labels)),
      ({ samples }) => {
        const steps: [number, number][] = [];
        for (let atMs = time("start"); atMs <= time("end"); atMs += stepMs) {
          const newest = within(samples, atMs - 300_000, atMs).at(-1);
          if (newest) steps.push([atMs, newest[1]]);
        }
        return steps;
      },
    );
  }
  if (pathname !== "/api/v1/query") return undefined;
  const [, selector, rangeMs] = /^(\{.*\})\[(\d+)ms\]$/s.exec(searchParams.get("query") ?? "") ?? [];
  if (selector === undefined) return { resultType: "scalar", result: [time("time") / 1000, "1"] };
  const fits = readSelector(selector);
  return matrix(
    series.filter(({ labels }) => fits(labels)),
    ({ samples }) => within(samples, time("time") - Number(rangeMs), time("time")),
  );
}

function within(samples: SeriesSamples["samples"], fromMs: number, toMs: number) {
  return samples.filter(([atMs]) => atMs >= fromMs && atMs <= toMs);
}

function matrix(
  series: readonly SeriesSamples[],
  samplesOf: (each: SeriesSamples) => readonly (readonly [number, number])[],
) {
  const result = series
    .map((each) => ({
      metric: each.labels,
      values: samplesOf(each).map(([atMs, value]) => [atMs / 1000, String(value)]),
    }))
    .filter(({ values }) => values.length > 0);
  return { resultType: "matrix", result };
}

/** Matchers of a selector as a predicate; regular expressions are anchored at both ends. */
function readSelector(selector: string): (labels: Labels) => boolean {
  const matchers = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = "", operator = "", text = ""]) => {
      const wanted = JSON.parse(`"${text}"`) as string;
      const pattern = new RegExp(`^(?:${wanted})$`);
      return (labels: Labels) => {
        const value = labels[label] ?? "";
        const fits = operator.endsWith("~") ? pattern.test(value) : value === wanted;
        return operator.startsWith("!") ? !fits : fits;
      };
    },
  );
  return (labels) => matchers.every((fits) => fits(labels));
}
