import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import { findNodeByName } from "#lib/server/data/nodes.ts";
import { ingestRawRoute, ingestRoute } from "#lib/server/http/routes/snapshots.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { composeColumns } from "#lib/server/services/metric-columns.ts";
import { createSampler } from "../collector/sampler.ts";
import { useRuntime } from "../scripts/testing/route-client.ts";
import { createTestDatabase, type TestDatabase } from "../scripts/testing/test-database.ts";
import { issueToken } from "../scripts/testing/tokens.ts";
import { createWebServer, type WebServer } from "./web-server.ts";

const SCRIPT = join(import.meta.dirname, "../collector/plumbline-collector.sh");
const MIB = 1024;
/** What may lie between two reads of a busy machine, as a part of all memory; the others hold still to 16 MiB. */
const VOLATILE = new Map([
  ...["free", "pcp", "file", "buffers", "shmem", "anon", "srecl"].map((band) => [band, 0.02] as const),
  // Free pages and per-CPU lists are read one after the other.
  ["unacc", 0.005],
]);

let database: TestDatabase;
let web: WebServer;
let server = "";
let token = "";
let home = "";

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, Date.now);
  token = await issueToken({ name: "collectors", cluster: "east", scopes: ["snapshots:write"] });
  web = createWebServer({
    pages: async (_request, response) => void response.writeHead(404).end(),
    ingest: { [ingestRoute.facts.path]: ingestRoute, [ingestRawRoute.facts.path]: ingestRawRoute },
    files: [],
    apiRoutes: [],
    personOf: async () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
  server = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
  home = mkdtempSync(join(tmpdir(), "raw-ingest-"));
  writeFileSync(join(home, "token"), token);
});
afterAll(async () => {
  await web.drain(1000);
  setRuntime(undefined);
  await database.drop();
  rmSync(home, { recursive: true });
});

/** One sample of this machine by the script, into the server. */
async function runScript(node: string): Promise<void> {
  const args = ["--server", server, "--token-file", join(home, "token"), "--spool", join(home, "spool")];
  const stderr = await new Promise<string>((resolve, reject) => {
    execFile("sh", [SCRIPT, ...args, "--node", node, "--watch", home, "--once"], (error, _, said) =>
      error === null ? resolve(said) : reject(new Error(said)),
    );
  });
  expect(stderr).toBe("");
}

/** One sample of this machine by the collector, into the server. */
async function runCollector(node: string): Promise<void> {
  const config = {
    node,
    labels: {},
    places: { proc: "/proc", sys: "/sys", root: "/" },
    watch: [home],
  };
  const sampler = createSampler(config, { now: Date.now, monotonicMs: () => performance.now() });
  const { snapshot } = sampler.sample({ versions: {}, self: { cpuSeconds: 0, rssKib: 0 } });
  const response = await fetch(`${server}/api/v1/snapshots`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(snapshot),
  });
  expect(ingestReceipt.parse(await response.json()).accepted).toBe(1);
}

async function stateOf(name: string) {
  const node = await findNodeByName(database.db, "east", name);
  if (!node) throw new Error(`no node ${name}`);
  return node;
}

function compositionOf({ counters, kernelRelease }: Awaited<ReturnType<typeof stateOf>>) {
  const composition = composeColumns((column) => counters[column], kernelRelease);
  if (composition === undefined) throw new Error("no composition");
  return composition;
}

/** What the script leaves to the collector. */
const NOT_IN_SHELL = new Set([
  "cgroups-created",
  "containers-started",
  "cgroup-trees",
  "cgroup-directories",
  "netns",
]);

describe("the script beside the collector", () => {
  it("reports this machine alike", { timeout: 60_000 }, async () => {
    let apart: string[] = [];
    // A machine that is busy with something else may move between the reads; three times in a row it does not.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await runCollector(`before ${attempt}`);
      await runScript(`script-${attempt}`);
      await runCollector(`after ${attempt}`);
      const [before, script, after] = await Promise.all(
        [`before ${attempt}`, `script-${attempt}`, `after ${attempt}`].map(stateOf),
      );
      if (!before || !script || !after) throw new Error("a node is missing");

      const same = ["bootId", "kernelRelease", "cpus", "pageSizeBytes", "cgroupMode"] as const;
      for (const key of same) expect(script[key], key).toEqual(before[key]);
      expect(script.counters.MemTotal).toBe(before.counters.MemTotal);
      expect(script.counters.vmapStack).toBe(before.counters.vmapStack);
      expect(script.details.watch).toContainEqual({ path: home, files: readdirSync(home).length });
      for (const [name, { status }] of Object.entries(before.sources ?? {})) {
        if (!NOT_IN_SHELL.has(name)) {
          expect([name, script.sources?.[name]?.status]).toEqual([name, status]);
        }
      }

      const [first, middle, last] = [before, script, after].map(compositionOf);
      if (!first || !middle || !last) throw new Error("a composition is missing");
      const total = script.counters.MemTotal ?? 0;
      const sum = Object.values(middle.bands).reduce<number>((all, kib) => all + (kib ?? 0), 0);
      expect(sum).toBe(total);
      apart = Object.entries(middle.bands).flatMap(([band, kib]) => {
        const [a, b] = [first, last].map(({ bands }) => bands[band as keyof typeof bands]);
        if (kib === undefined || a === undefined || b === undefined) {
          return [kib, a, b].every((each) => each === undefined) ? [] : [`${band}: reported by one alone`];
        }
        const slackKib = Math.max(16 * MIB, total * (VOLATILE.get(band) ?? 0));
        const within = kib >= Math.min(a, b) - slackKib && kib <= Math.max(a, b) + slackKib;
        return within ? [] : [`${band}: ${a}, ${kib}, ${b} KiB`];
      });
      const counts = ["cgroupMemoryCount", "cgroupLive"] as const;
      for (const column of counts) {
        const [a = -1, kept = -1] = [before.counters[column], script.counters[column]];
        if (Math.abs(a - kept) > 20) apart.push(`${column}: ${a}, ${kept}`);
      }
      if (apart.length === 0) return;
    }
    expect(apart).toEqual([]);
  });
});
