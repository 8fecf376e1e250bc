/**
 * `npm run bench`: figures of the built product, database, server and load generator on this one machine. Prints the
 * machine, the dataset and medians; asserts nothing. `-- ingest`, `reads`, `browser`, `collector`, `trends`, `shares` choose parts.
 * Reads and browser begin once the worker has judged the nodes that were made for them: a quarter of an hour.
 */
import { existsSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { gzipSync } from "node:zlib";
import { findBrowser } from "../scripts/find-browser.mjs";
import { realSnapshot } from "../scripts/testing/real-snapshot.ts";
import { measureNodePage } from "./browser.ts";
import { untilCaughtUp } from "./caught-up.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { measureCollectors } from "./collector.ts";
import { history } from "./dataset.ts";
import { printFigures, type Figure } from "./figure.ts";
import { measureIngest } from "./ingest.ts";
import { measureShares } from "./shares.ts";
import { measureTrends } from "./trends.ts";
import { fillHistory, measureReads } from "./reads.ts";
import { startStack } from "../scripts/testing/stack.ts";

const PARTS = ["ingest", "reads", "browser", "collector", "trends", "shares"] as const;

/** Mean size of the samples of one minute at 15 s, the first of a collector left out. */
function minuteBytes(base: SnapshotInput, nowMs: number): number {
  const minute = history(base, "size", nowMs, 15_000, 8).slice(4);
  return minute.reduce((sum, each) => sum + JSON.stringify(each).length, 0) / minute.length;
}

function browserPath(): string | undefined {
  const { path, reasons } = findBrowser();
  if (path === undefined) console.log(`no browser: ${reasons?.join("; ")}`);
  return path;
}

async function main(): Promise<void> {
  const asked = process.argv.slice(2);
  const unknown = asked.find((part) => !PARTS.some((known) => known === part));
  if (unknown !== undefined) throw new Error(`unknown part ${unknown}; there are ${PARTS.join(", ")}`);
  const wanted = (part: (typeof PARTS)[number]) => asked.length === 0 || asked.includes(part);
  if (!existsSync("dist/up.mjs")) throw new Error("nothing is built: npm run build first");

  const nowMs = Math.floor(Date.now() / 15_000) * 15_000;
  const base = realSnapshot();
  const line = JSON.stringify(base);
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${(totalmem() / 2 ** 30).toFixed(1)} GiB, Node.js ${process.version}`,
  );
  console.log(
    `snapshot of this machine with every section: ${line.length} bytes of JSON, ${gzipSync(line).length} bytes alone in gzip; ` +
      `of a minute of it as the collector sends them, a mean of ${Math.round(minuteBytes(base, nowMs))}`,
  );

  const stack = await startStack({ PLUMBLINE_RETENTION_RAW_DAYS: "40" });
  const figures: Figure[] = [];
  try {
    if (wanted("ingest")) figures.push(...(await measureIngest(stack, base, nowMs)));
    if (wanted("reads") || wanted("browser")) {
      const nodeId = await fillHistory(stack, base, nowMs);
      await untilCaughtUp(stack);
      if (wanted("reads")) figures.push(...(await measureReads(stack, nodeId, nowMs)));
      if (wanted("browser")) {
        const browser = browserPath();
        if (browser !== undefined) figures.push(...(await measureNodePage(stack, nodeId, nowMs, browser)));
      }
    }
    if (wanted("shares")) figures.push(...(await measureShares(stack, base, nowMs, browserPath())));
    if (wanted("trends")) figures.push(...(await measureTrends(stack, base, nowMs)));
    if (wanted("collector")) figures.push(...(await measureCollectors(stack)));
  } finally {
    // Also when a part failed: what was measured before it is not lost.
    printFigures(figures);
    await stack.stop();
  }
}

await main();
