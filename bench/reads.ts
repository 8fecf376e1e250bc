import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { nodeList } from "#lib/contracts/node.ts";
import { setTimeout as delay } from "node:timers/promises";
import { query } from "../scripts/testing/stored.ts";
import { history, inChunks } from "./dataset.ts";
import type { Figure } from "./figure.ts";
import { packBody, sendAll } from "./load-generator.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import { quantile, timed } from "./statistics.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FLEET = 1000;
const ROUNDS = 40;
const ROLLED_UP_WITHIN_MS = 300_000;

async function readJson(stack: Stack, token: string, path: string): Promise<unknown> {
  const response = await fetch(new URL(path, stack.server), {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

async function findNodeId(stack: Stack, token: string, name: string): Promise<number> {
  const list = nodeList.parse(await readJson(stack, token, `/api/v1/nodes?name=${name}`));
  const found = list.nodes.find((node) => node.name === name);
  if (!found) throw new Error(`${name} is not in the fleet list`);
  return found.nodeId;
}

/** Fills one node with 30 days (15 s in the newest 24 h, 60 s before) and a fleet of 1,000 with 2 h of 5 min samples. */
export async function fillHistory(stack: Stack, base: SnapshotInput, nowMs: number): Promise<number> {
  const write = stack.issueToken(["snapshots:write"]);
  const read = stack.issueToken(["read"]);
  const older = history(base, "month", nowMs - 30 * DAY_MS, 60_000, 29 * 1440);
  const newest = history(base, "month", nowMs - DAY_MS, 15_000, 5760);
  for (const part of inChunks([...older, ...newest], 5000)) {
    await sendAll(stack.server, [write], inChunks(part, 500).map(packBody), 2);
  }
  const fleet = Array.from({ length: FLEET }, (_, index) =>
    history(base, `fleet-${index}`, nowMs - 2 * HOUR_MS, 300_000, 24),
  ).flat();
  for (const part of inChunks(fleet, 5000))
    await sendAll(stack.server, [write], inChunks(part, 500).map(packBody), 2);

  const nodeId = await findNodeId(stack, read, "month");
  const deadline = Date.now() + ROLLED_UP_WITHIN_MS;
  for (;;) {
    const path = `/api/v1/nodes/${nodeId}/composition?from=${nowMs - 30 * DAY_MS}&to=${nowMs}&points=600`;
    const { resolution } = (await readJson(stack, read, path)) as { resolution: { source: string } };
    // Until then raw samples answer for the month, and the worker takes the processor from what is measured.
    const [dirty] = await query<{ waiting: number }>(
      stack,
      `select count(*)::int as waiting from "DirtyBucket"
       where "at" + make_interval(secs => "seconds") < now() - interval '2 minutes'`,
    );
    if (resolution.source === "1h" && dirty?.waiting === 0) return nodeId;
    if (Date.now() > deadline) {
      throw new Error(
        `roll-ups of 30 days are not there: ${resolution.source}, ${dirty?.waiting} buckets wait`,
      );
    }
    await delay(2000);
  }
}

/** A mark in the middle of the newest day, whose effect is asked for. */
async function markMiddle(stack: Stack, nodeId: number, nowMs: number): Promise<string> {
  const token = stack.issueToken(["annotations:write"]);
  const response = await fetch(new URL("/api/v1/annotations", stack.server), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      at: nowMs - DAY_MS / 2,
      scope: { nodes: [nodeId] },
      kind: "intervention",
      title: "bench",
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the mark was refused: ${response.status} ${text.slice(0, 500)}`);
  return String((JSON.parse(text) as { annotationId: number }).annotationId);
}

/** Milliseconds at the API for composition and fleet (medians) and for each analysis of one node (p95). */
export async function measureReads(stack: Stack, nodeId: number, nowMs: number): Promise<Figure[]> {
  const token = stack.issueToken(["read"]);
  const figures: Figure[] = [];
  const node = `/api/v1/nodes/${nodeId}`;
  const window = (spanMs: number) => `from=${nowMs - spanMs}&to=${nowMs}`;
  for (const [label, span] of [
    ["24 h of 15 s samples", DAY_MS],
    ["30 d", 30 * DAY_MS],
  ] as const) {
    const path = `${node}/composition?${window(span)}&points=600`;
    const took = await timed(ROUNDS, 5, () => readJson(stack, token, path));
    figures.push({
      what: `composition, 600 points, ${label}`,
      value: quantile(took, 0.5),
      unit: "ms",
      target: "median <= 25",
      dataset: `one node with 30 d, ${ROUNDS} requests, p95 ${quantile(took, 0.95).toFixed(1)} ms`,
    });
  }
  const effect = `${node}/effects/${await markMiddle(stack, nodeId, nowMs)}`;
  for (const [what, path] of [
    ["trend, 24 h", `${node}/trend?${window(DAY_MS)}`],
    ["trend, 7 d", `${node}/trend?${window(7 * DAY_MS)}`],
    ["effect of a mark, 6 h on each side", `${effect}?before=6h&after=6h`],
    ["effect of a mark, 12 h on each side", `${effect}?before=12h&after=12h`],
    ["correlation with containers, 24 h", `${node}/correlation?${window(DAY_MS)}`],
    ["correlation with containers, 7 d", `${node}/correlation?${window(7 * DAY_MS)}`],
    ["changepoints, 48 h in means of 5 min", `${node}/changepoints?${window(2 * DAY_MS)}`],
    ["decomposition, 48 h in means of 5 min", `${node}/decomposition?${window(2 * DAY_MS)}`],
    ["forecast, 48 h in means of 5 min", `${node}/forecast?${window(2 * DAY_MS)}`],
  ] as const) {
    const took = await timed(ROUNDS, 5, () => readJson(stack, token, path));
    figures.push({
      what,
      value: quantile(took, 0.95),
      unit: "ms",
      target: "p95 <= 60",
      dataset: `one node with 30 d, at most 600 points, ${ROUNDS} requests, median ${quantile(took, 0.5).toFixed(1)} ms`,
    });
  }
  const took = await timed(ROUNDS, 3, () => readJson(stack, token, "/api/v1/nodes?pageSize=1000"));
  figures.push({
    what: "fleet, 1,000 nodes",
    value: quantile(took, 0.5),
    unit: "ms",
    target: "<= 100",
    dataset: `more than ${FLEET} nodes stored, ${ROUNDS} requests, p95 ${quantile(took, 0.95).toFixed(1)} ms`,
  });
  return figures;
}
