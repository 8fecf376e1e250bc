import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const READY_WITHIN_MS = 120_000;

/** A whole Plumbline, as `npm run up` starts it, on a port and a data folder of its own. */
export interface Stack {
  server: string;
  /** Issues a token with the scopes, for the cluster `bench`. */
  issueToken(scopes: readonly string[]): string;
  stop(): Promise<void>;
}

/** A port that nothing listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function waitUntilReady(server: string, child: ChildProcess, said: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended while starting:\n${said()}`);
    const answer = await fetch(new URL("/readyz", server)).catch(() => undefined);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error(`not ready within ${READY_WITHIN_MS / 1000} s:\n${said()}`);
}

/** Starts the built product without its own collector; rejects with what it printed when it does not get ready. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const port = await freePort();
  const dataDir = mkdtempSync("/var/tmp/plumbline-bench-");
  const env = {
    ...process.env,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_PORT: String(port),
    PLUMBLINE_LOCAL_COLLECTOR: "off",
    ...environment,
  };
  const child = spawn(process.execPath, [join("dist", "up.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const server = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(server, child, () => output.slice(-4000));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    server,
    issueToken(scopes) {
      const args = [
        "create",
        "--cluster",
        "bench",
        "--name",
        `bench-${scopes.join("-")}`,
        ...scopes.flatMap((scope) => ["--scope", scope]),
      ];
      const printed = execFileSync(process.execPath, [join("dist", "token.mjs"), ...args], {
        env,
        encoding: "utf8",
      });
      const token = /\bpl_[\w-]+/.exec(printed)?.[0];
      if (token === undefined) throw new Error(`no token in what the command printed: ${printed}`);
      return token;
    },
    stop,
  };
}
