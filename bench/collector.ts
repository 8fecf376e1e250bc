import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Figure } from "./figure.ts";
import { processCost } from "./program-cost.ts";
import { freePort, type Stack } from "../scripts/testing/stack.ts";

const SAMPLES = 60;
const NODE_EXPORTER = "/usr/bin/prometheus-node-exporter";

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`could not start ${child.spawnfile}`);
  return child.pid;
}

/** CPU and memory of the built collector, sampling each second and pushing every two. */
async function measureCollector(stack: Stack): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-bench-collector-"));
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, stack.issueToken(["snapshots:write"]), { mode: 0o600 });
  const args = ["run", "--server", stack.server, "--token-file", tokenFile, "--spool", join(folder, "spool")];
  const child = spawn(
    process.execPath,
    [join("dist", "collector.mjs"), ...args, "--interval", "1s", "--push", "2s"],
    {
      stdio: "ignore",
    },
  );
  try {
    await delay(5000);
    const before = processCost(pidOf(child));
    await delay(SAMPLES * 1000);
    const after = processCost(pidOf(child));
    const dataset = `${SAMPLES} snapshots at 1 s, pushed every 2 s, after 5 s of warm-up`;
    return [
      {
        what: "collector, CPU per snapshot",
        value: ((after.cpuSeconds - before.cpuSeconds) / SAMPLES) * 1000,
        unit: "ms",
        target: "stated",
        dataset,
      },
      { what: "collector, RSS", value: after.rssKib / 1024, unit: "MiB", target: "stated", dataset },
    ];
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU per scrape and memory of Debian's prometheus-node-exporter, scraped each second. */
async function measureNodeExporter(): Promise<Figure[]> {
  if (!existsSync(NODE_EXPORTER)) {
    console.log(`not compared: ${NODE_EXPORTER} is not installed (Debian package prometheus-node-exporter)`);
    return [];
  }
  const port = await freePort();
  const child = spawn(NODE_EXPORTER, [`--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" });
  try {
    await delay(3000);
    const before = processCost(pidOf(child));
    for (let scrape = 0; scrape < SAMPLES; scrape += 1) {
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      await delay(1000);
    }
    const after = processCost(pidOf(child));
    const dataset = `${SAMPLES} scrapes at 1 s, default collectors`;
    return [
      {
        what: "prometheus-node-exporter, CPU per scrape",
        value: ((after.cpuSeconds - before.cpuSeconds) / SAMPLES) * 1000,
        unit: "ms",
        target: "beside",
        dataset,
      },
      {
        what: "prometheus-node-exporter, RSS",
        value: after.rssKib / 1024,
        unit: "MiB",
        target: "beside",
        dataset,
      },
    ];
  } finally {
    child.kill("SIGTERM");
  }
}

/** The collector beside node_exporter, one after the other in one run. */
export async function measureCollectors(stack: Stack): Promise<Figure[]> {
  return [...(await measureCollector(stack)), ...(await measureNodeExporter())];
}
