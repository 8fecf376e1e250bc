import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { history, inChunks } from "./dataset.ts";
import { packBody, sendAll } from "./load-generator.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import { quantile } from "./statistics.ts";
import type { Figure } from "./figure.ts";

const STEP_MS = 15_000;

function nodesOfLoad(
  base: SnapshotInput,
  prefix: string,
  nodes: number,
  samples: number,
  nowMs: number,
): SnapshotInput[] {
  const fromMs = nowMs - samples * STEP_MS;
  const histories = Array.from({ length: nodes }, (_, index) =>
    history(base, `${prefix}-${index}`, fromMs, STEP_MS, samples),
  );
  // In the order of time, as a fleet sends them: neighbours in a request are different nodes.
  return Array.from({ length: samples }, (_, at) => histories.flatMap((each) => each[at] ?? [])).flat();
}

/** Snapshots a second that the server acknowledges, in requests of 100 and one by one; each is durable by then. */
export async function measureIngest(stack: Stack, base: SnapshotInput, nowMs: number): Promise<Figure[]> {
  const tokens = Array.from({ length: 8 }, () => stack.issueToken(["snapshots:write"]));
  await sendAll(
    stack.server,
    tokens,
    inChunks(nodesOfLoad(base, "warm", 100, 20, nowMs), 100).map(packBody),
    4,
  );

  const batched = inChunks(nodesOfLoad(base, "batched", 200, 100, nowMs), 100).map(packBody);
  const many = await sendAll(stack.server, tokens, batched, 4);
  const single = nodesOfLoad(base, "single", 100, 40, nowMs).map((each) => packBody([each]));
  const one = await sendAll(stack.server, tokens, single, 8);

  const perSnapshot = batched.reduce((sum, body) => sum + body.bytes.length, 0) / many.snapshots;
  return [
    {
      what: "ingest, requests of 100, 4 connections",
      value: (many.snapshots / many.elapsedMs) * 1000,
      unit: "snapshots/s",
      target: ">= 1,500",
      dataset: `${many.snapshots} snapshots of 200 nodes, ${Math.round(perSnapshot)} bytes each on the wire; request p50 ${quantile(many.latenciesMs, 0.5).toFixed(0)} ms, p95 ${quantile(many.latenciesMs, 0.95).toFixed(0)} ms`,
    },
    {
      what: "ingest, one by one, 8 connections",
      value: (one.snapshots / one.elapsedMs) * 1000,
      unit: "snapshots/s",
      target: ">= 300",
      dataset: `${one.snapshots} snapshots of 100 nodes; request p50 ${quantile(one.latenciesMs, 0.5).toFixed(1)} ms, p95 ${quantile(one.latenciesMs, 0.95).toFixed(1)} ms`,
    },
  ];
}
