import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findEmbeddedDatabaseUrl, freePort } from "#processes/database.ts";

export { freePort };

const READY_WITHIN_MS = 240_000;

/** A part of the product that has a process of its own. */
export type Part = "supervisor" | "web" | "worker" | "collector" | "database";

/** A whole Plumbline, as `npm run up` starts it, on a port and a data folder of its own. */
export interface Stack {
  server: string;
  dataDir: string;
  /** Issues a token with the scopes, for the cluster (`bench` unless named). */
  issueToken(scopes: readonly string[], cluster?: string): string;
  /** Address of its database, to count what is stored behind the API's back. */
  databaseUrl(): string;
  /** Pid of a part; throws when it does not run. */
  pidOf(part: Part): number;
  /** Ends everything, data folder kept; `start` brings it back on the same port. */
  halt(): Promise<void>;
  /** Starts again after `halt`, or after the supervisor was killed. */
  start(): Promise<void>;
  /** Resolves once the server says that it is ready. */
  untilReady(): Promise<void>;
  /** The last lines it printed. */
  said(): string;
  stop(): Promise<void>;
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return child === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function waitUntilReady(server: string, child: () => ChildProcess | undefined, said: () => string) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child())) throw new Error(`the server ended while starting:\n${said()}`);
    const answer = await fetch(new URL("/readyz", server), { signal: AbortSignal.timeout(5000) }).catch(
      () => undefined,
    );
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error(`not ready within ${READY_WITHIN_MS / 1000} s:\n${said()}`);
}

/** Pid in the first line of the data folder's postmaster.pid. */
function databasePid(dataDir: string): number {
  const folder = readdirSync(dataDir).find((name) => /^postgres-\d+$/.test(name));
  if (folder === undefined) throw new Error(`no database in ${dataDir}`);
  return Number(readFileSync(join(dataDir, folder, "postmaster.pid"), "utf8").split("\n")[0]);
}

/** Starts the built product without its own collector; rejects with what it printed when it does not get ready. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  const port = await freePort();
  const dataDir = mkdtempSync("/var/tmp/plumbline-stack-");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: "",
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_PORT: String(port),
    PLUMBLINE_LOCAL_COLLECTOR: "off",
    ...environment,
  };
  const server = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = "";
  const said = () => output.slice(-4000);
  const untilReady = () => waitUntilReady(server, () => child, said);

  const stack: Stack = {
    server,
    dataDir,
    issueToken(scopes, cluster = "bench") {
      const args = [
        "create",
        "--cluster",
        cluster,
        "--name",
        scopes.join("-"),
        ...scopes.flatMap((scope) => ["--scope", scope]),
      ];
      const printed = execFileSync(process.execPath, [join("dist", "token.mjs"), ...args], {
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      const token = /\bpl_[\w-]+/.exec(printed)?.[0];
      if (token === undefined) throw new Error(`no token in what the command printed: ${printed}`);
      return token;
    },
    databaseUrl() {
      const url = findEmbeddedDatabaseUrl(dataDir);
      if (url === undefined) throw new Error("the database does not run");
      return url;
    },
    pidOf(part) {
      if (part === "database") return databasePid(dataDir);
      if (part === "supervisor") {
        if (child?.pid === undefined || hasEnded(child)) throw new Error("the supervisor does not run");
        return child.pid;
      }
      const children = JSON.parse(readFileSync(join(dataDir, "children.json"), "utf8")) as {
        name: string;
        pid: number;
      }[];
      const found = children.find(({ name }) => name === part);
      if (!found) throw new Error(`${part} does not run`);
      return found.pid;
    },
    async halt() {
      const running = child;
      if (running === undefined || hasEnded(running)) return;
      const ended = new Promise((resolve) => running.once("exit", resolve));
      running.kill("SIGTERM");
      await ended;
    },
    async start() {
      child = spawn(process.execPath, [join("dist", "up.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
      }
      await untilReady();
    },
    untilReady,
    said,
    async stop() {
      await stack.halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await stack.start();
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return stack;
}
