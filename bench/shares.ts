import { chromium, type Browser } from "@playwright/test";
import { createInvestigation } from "#lib/contracts/investigation.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import type { Figure } from "./figure.ts";
import { fillFleetWeek } from "./fleet-week.ts";
import { quantile } from "./statistics.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const NODES = 28;
/** Pinned views of the large investigation; the nodes beyond are left alone, and so are what its mark is compared with. */
const FROZEN = 20;
/** Pinned charts of the small one. */
const SHOWN = 6;
const ROUNDS = 7;
const FREEZES = 5;

const FLEET =
  `${NODES} nodes with 7 d of five-minute roll-ups, a mark on ${FROZEN} of them in the middle, studied against 8 that were ` +
  "left alone; the worker stands still";

/**
 * Milliseconds until the page of a shared link shows its first and its last of six charts of 7 days, in fresh contexts of headless
 * Chromium, live and frozen; and seconds that freezing twenty such charts takes.
 */
export async function measureShares(
  stack: Stack,
  base: SnapshotInput,
  nowMs: number,
  executablePath: string | undefined,
): Promise<Figure[]> {
  const db = openDatabase({ url: stack.databaseUrl(), poolSize: 4 });
  const worker = stack.pidOf("worker");
  process.kill(worker, "SIGSTOP");
  try {
    const nodeIds = await fillFleetWeek(db, base, {
      cluster: "shares",
      nodes: NODES,
      nowMs,
      fiveMinutesMs: WEEK_MS,
    });
    const concerned = nodeIds.slice(0, FROZEN);
    await send(stack, "/api/v1/annotations", {
      at: nowMs - WEEK_MS / 2,
      kind: "intervention",
      title: "bench",
      scope: { nodes: concerned },
    });
    const small = await investigate(stack, concerned.slice(0, SHOWN), nowMs);
    const large = await investigate(stack, concerned, nowMs);
    const figures = await measureFreezing(stack, large);
    if (executablePath === undefined) return figures;
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      for (const kind of ["live", "frozen"] as const) {
        const { path } = await share(stack, small, kind);
        figures.push(...(await measurePage(browser, `${stack.server}${path}`, kind)));
      }
      return figures;
    } finally {
      await browser.close();
    }
  } finally {
    process.kill(worker, "SIGCONT");
    await closeDatabase(db);
  }
}

/** Opens an investigation of nodes, with a pinned chart of each over the last 7 days; its id. */
async function investigate(stack: Stack, nodeIds: readonly number[], nowMs: number): Promise<number> {
  const body = createInvestigation.parse({
    title: "bench",
    scope: { nodes: nodeIds },
    pins: nodeIds.map((nodeId) => ({
      kind: "chart",
      address: `/nodes/${nodeId}?from=${nowMs - WEEK_MS}&to=${nowMs}`,
    })),
  });
  const { investigationId } = (await send(stack, "/api/v1/investigations", body)) as {
    investigationId: number;
  };
  return investigationId;
}

async function share(stack: Stack, investigationId: number, kind: "live" | "frozen") {
  return (await send(stack, `/api/v1/investigations/${investigationId}/shares`, { kind })) as {
    path: string;
    parts?: { done: number; total: number };
  };
}

/** Posts as whoever is at the machine. */
async function send(stack: Stack, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(new URL(path, stack.server), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

async function measureFreezing(stack: Stack, investigationId: number): Promise<Figure[]> {
  const took: number[] = [];
  for (let round = 0; round <= FREEZES; round += 1) {
    const since = performance.now();
    await share(stack, investigationId, "frozen");
    took.push((performance.now() - since) / 1000);
  }
  // The first one is of a server that never read anything.
  const [first = NaN, ...rest] = took;
  return [
    {
      what: `freezing ${FROZEN} charts of 7 d`,
      value: quantile(rest, 0.5),
      unit: "s",
      target: "<= 5",
      dataset: `${FLEET}; ${FREEZES} times, slowest ${Math.max(...rest).toFixed(2)} s, the first after the start ${first.toFixed(2)} s`,
    },
  ];
}

async function measurePage(browser: Browser, address: string, kind: string): Promise<Figure[]> {
  const first: number[] = [];
  const all: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const since = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    const charts = page.getByRole("figure").getByRole("slider", { name: /Time cursor/ });
    await charts.first().waitFor({ state: "visible" });
    const firstMs = performance.now() - since;
    await charts.nth(SHOWN - 1).waitFor({ state: "visible" });
    // The first round warms the server.
    if (round > 0) {
      first.push(firstMs);
      all.push(performance.now() - since);
    }
    await context.close();
  }
  const figure = (what: string, took: readonly number[], target: string): Figure => ({
    what: `${kind} link with ${SHOWN} charts of 7 d, ${what}`,
    value: quantile(took, 0.5),
    unit: "ms",
    target,
    dataset: `${FLEET}; ${ROUNDS} fresh contexts without a cache, 1440 x 900, slowest ${Math.max(...took).toFixed(0)} ms`,
  });
  return [figure("first chart", first, "<= 1000"), figure("all", all, "<= 2000")];
}
