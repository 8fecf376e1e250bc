import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "../scripts/testing/stack.ts";

/** A built collector that runs. */
export interface RunningCollector {
  node: string;
  pid: number;
  /** What it has printed. */
  said(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again over the same spool. */
  startAgain(): void;
  /** Ends it and takes its folder away. */
  stop(): Promise<void>;
}

/**
 * Starts `dist/collector.mjs` towards a stack.
 * @param options.uid user to run as, for a root that gives its rights away.
 */
export function startCollector(
  stack: Pick<Stack, "server">,
  token: string,
  options: { node: string; interval: string; push: string; uid?: number },
): RunningCollector {
  const folder = mkdtempSync("/var/tmp/plumbline-collector-");
  const tokenFile = join(folder, "token");
  const spool = join(folder, "spool");
  // A copy, since another user may not be able to enter the folder that this runs in.
  const program = join(folder, "collector.mjs");
  copyFileSync(join("dist", "collector.mjs"), program);
  writeFileSync(tokenFile, token, { mode: 0o600 });
  mkdirSync(spool);
  if (options.uid !== undefined) {
    chmodSync(folder, 0o755);
    chmodSync(program, 0o755);
    for (const path of [tokenFile, spool]) chownSync(path, options.uid, options.uid);
  }
  let output = "";
  let child: ChildProcess | undefined;
  const start = () => {
    const args = [
      ...["run", "--server", stack.server, "--token-file", tokenFile, "--spool", spool],
      ...["--node", options.node, "--interval", options.interval, "--push", options.push],
    ];
    child = spawn(process.execPath, [program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: folder,
      ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
    }
  };
  const kill = async (signal: NodeJS.Signals) => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };
  start();
  return {
    node: options.node,
    get pid() {
      if (child?.pid === undefined) throw new Error(`the collector of ${options.node} did not start`);
      return child.pid;
    },
    said: () => output,
    kill,
    startAgain: start,
    async stop() {
      await kill("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Intervals of the grid between the first and last sample in which no sample lies, and in which more than one does. */
export function gridFaults(timesMs: readonly number[], intervalMs: number) {
  const slots = timesMs.map((timeMs) => Math.round(timeMs / intervalMs));
  const seen = new Set(slots);
  const missing: number[] = [];
  const last = slots.at(-1) ?? 0;
  // The first sample is taken at once, off the grid.
  for (let slot = (slots[1] ?? last) + 1; slot < last; slot += 1) {
    if (!seen.has(slot)) missing.push(slot * intervalMs);
  }
  return { missing, repeated: timesMs.length - new Set(timesMs).size };
}
