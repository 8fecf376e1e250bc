import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { config } from "#lib/server/config.ts";
import { closeDatabase, openDatabase, type Database } from "#lib/server/data/client.ts";
import { hasAdministrator } from "#lib/server/services/has-administrator.ts";
import { makeInvitation } from "#lib/server/services/make-invitation.ts";
import { seedSimulatedFleet } from "#lib/server/services/seed-simulated-fleet.ts";
import { migrate } from "#prisma/migrate.ts";
import { openChildRecord, stopLeftovers } from "./child-record.ts";
import { defaultDataDir, prepareDataDir } from "./database.ts";
import { acquireFolderLock } from "./folder-lock.ts";
import { addressElsewhere, addressHere, choosePort, isLoopback } from "./listen-address.ts";
import { ensureLocalCollectorToken } from "./local-collector-token.ts";
import { formatLine } from "./log-line.ts";
import { readSecretFile, writeSecretFile } from "./secret-file.ts";
import { prepareDemoFolder, type DemoFolder } from "./demo-folder.ts";
import { superviseChild, type SupervisedChild } from "./supervise.ts";
import { superviseDatabase, type SupervisedDatabase } from "./supervise-database.ts";

const dist = dirname(fileURLToPath(import.meta.url));
const root = dirname(dist);

/** How long each part may take to end; a second Ctrl-C does not wait for them. */
const graceMs = { collector: 5_000, web: 15_000, worker: 15_000, database: 30_000 };

const say =
  (part: string) =>
  (text: string): void => {
    for (const line of text.split("\n")) process.stdout.write(`${formatLine(Date.now(), part, line)}\n`);
  };

/** What runs, in the order in which it was started. */
interface Running {
  database: SupervisedDatabase | undefined;
  children: SupervisedChild[];
  /** Settles when the start is over, well or not. */
  started: Promise<unknown>;
}

async function main(): Promise<void> {
  const startedAtMs = Date.now();
  const log = say("plumbline");
  const dataDir = prepareDataDir(config().dataDir ?? defaultDataDir());
  const acquired = acquireFolderLock(join(dataDir, "supervisor.lock"));
  if ("heldBy" in acquired) {
    const { pid, note } = acquired.heldBy;
    log(`already running on ${dataDir} (process ${pid})${note === undefined ? "" : `: ${note}`}`);
    process.exitCode = 1;
    return;
  }
  const { lock } = acquired;
  const running: Running = { database: undefined, children: [], started: Promise.resolve() };
  const end = endOnSignal(running, log, () => lock.release());
  try {
    const starting = start(running, dataDir, end.signal);
    running.started = starting.catch(() => undefined);
    const { address, first } = await starting;
    lock.setNote(address);
    log(`ready at ${address} (${((Date.now() - startedAtMs) / 1000).toFixed(1)} s)`);
    if (config().demo !== undefined) log(`simulated stories at ${address}/stories; data in ${dataDir}`);
    if (first !== undefined) log(`first administrator, once: ${elsewhere(address)}${first}`);
  } catch (error) {
    if (!end.signal.aborted) {
      log(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
      await end.now(1);
    }
  }
}

/** Stops everything in reverse order at SIGINT, SIGTERM or SIGHUP; the second one kills what still runs. */
function endOnSignal(running: Running, log: (line: string) => void, release: () => void) {
  const ending = new AbortController();
  const now = async (exitCode: number): Promise<void> => {
    ending.abort();
    await running.started;
    // The collector first, so that it does not spool what the server would still take; the database last.
    for (const { name } of [...running.children].reverse()) {
      if (name === "collector") await stopChildren(running, [name]);
    }
    await stopChildren(running, ["worker", "web"]);
    await running.database?.stop(graceMs.database);
    release();
    log("stopped");
    process.exit(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!ending.signal.aborted) {
        log(`stopping (${signal})`);
        void now(0);
        return;
      }
      log("stopping at once");
      for (const child of running.children) {
        const pid = child.pid();
        if (pid !== undefined) process.kill(pid, "SIGKILL");
      }
    });
  }
  endWithNpm(() => {
    if (ending.signal.aborted) return;
    log("stopping (npm is gone)");
    void now(0);
  });
  process.on("uncaughtException", (error) => {
    log(`unexpected: ${error.stack ?? error.message}`);
    if (!ending.signal.aborted) void now(1);
  });
  // A closed pipe behind our output is no reason to leave the database without a supervisor.
  process.stdout.on("error", () => undefined);
  return { signal: ending.signal, now };
}

/** npm passes SIGTERM to the shell between us, which dies of it without telling us: a changed parent is how we know. */
function endWithNpm(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 250).unref();
}

async function stopChildren(running: Running, names: string[]): Promise<void> {
  await Promise.all(
    running.children
      .filter(({ name }) => names.includes(name))
      .map((child) => child.stop(graceMs[child.name as keyof typeof graceMs])),
  );
}

/** A server that is ready: its address for this machine, and while nobody is administrator the path that makes one. */
interface Started {
  address: string;
  first: string | undefined;
}

/** Starts all parts; resolves once the server says that it is ready. */
async function start(running: Running, dataDir: string, signal: AbortSignal): Promise<Started> {
  const { host, port: wishedPort, databaseUrl, citusShards } = config();
  const demo = demoFolder(dataDir);
  const recordPath = join(dataDir, "children.json");
  await stopLeftovers(recordPath, say("plumbline"));
  const record = openChildRecord(recordPath);
  // Before the database, so that a taken port is said at once.
  const port = await choosePort(host, wishedPort, !process.env.PLUMBLINE_PORT);
  const address = addressHere(host, port);

  const url = await startDatabase(running, dataDir, databaseUrl, signal);
  signal.throwIfAborted();
  const { pending } = await migrate({
    url: url(),
    folder: join(root, "prisma/migrations"),
    citusShards,
    partitionsFromMs: Date.now(),
  });
  if (pending.length > 0) say("database")(`applied ${pending.join(", ")}`);
  const tokenFile = join(dataDir, "collector-token");
  const db = openDatabase({ url: url(), poolSize: 2 });
  let first: string | undefined;
  try {
    await ensureLocalCollectorToken(db, tokenFile);
    first = demo === undefined ? await firstAdministratorPath(db) : undefined;
    if (demo?.isFilled === false) await fillDemo(db, demo, signal);
  } finally {
    await closeDatabase(db);
  }
  signal.throwIfAborted();

  const serverEnvironment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: url(),
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_HOST: host,
    PLUMBLINE_PORT: String(port),
    PLUMBLINE_LOCAL_SECRET: localSecret(dataDir),
    PLUMBLINE_TRUST_LOOPBACK: trustsLoopback() ? "on" : "off",
  });
  const add = (name: string, args: string[], env: () => NodeJS.ProcessEnv): void => {
    const leash = pathToFileURL(join(dist, "leash.mjs")).href;
    running.children.push(
      superviseChild({
        name,
        command: () => ({ file: process.execPath, args: ["--import", leash, ...args], env: env() }),
        log: say(name),
        onPid: (pid) => record.note(name, pid),
      }),
    );
  };
  add("web", [join(dist, "web.mjs")], serverEnvironment);
  add("worker", [join(dist, "worker.mjs")], serverEnvironment);
  await waitUntilReady(address, signal);
  if (config().localCollector) {
    add("collector", collectorArguments(address, tokenFile, dataDir), collectorEnvironment);
  }
  return { address, first };
}

/** The path that makes the first administrator, while there is none; one that an earlier start printed is void. */
async function firstAdministratorPath(db: Database): Promise<string | undefined> {
  const ctx = { db, actor: { kind: "system", name: "supervisor" } as const, now: () => Date.now() };
  if (await hasAdministrator(db, ctx.now())) return undefined;
  return (await makeInvitation({ ctx, input: { role: "administrator" }, alone: true })).path;
}

/** The folder of a demonstration, ready to be used; undefined for a real server. */
function demoFolder(dataDir: string): DemoFolder | undefined {
  const { demo, databaseUrl } = config();
  if (demo === undefined) return undefined;
  if (databaseUrl !== undefined) {
    throw new Error("A demonstration brings its own database: DATABASE_URL must not be set.");
  }
  return prepareDemoFolder(dataDir, Date.now());
}

async function fillDemo(db: Database, folder: DemoFolder, signal: AbortSignal): Promise<void> {
  const log = say("demo");
  const startedAtMs = Date.now();
  let said = "";
  const onProgress = (what: string, done: number): void => {
    signal.throwIfAborted();
    const text = `${what}${done > 0 ? `, ${Math.floor(done * 4) * 25} %` : ""}`;
    if (text !== said) log(text);
    said = text;
  };
  const ctx = { db, actor: { kind: "local", name: "demo" } as const, now: () => Date.now() };
  const { nodes, snapshots } = await seedSimulatedFleet({
    ctx,
    input: { size: config().demo ?? "full", onProgress },
  });
  folder.noteFilled(startedAtMs);
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(0);
  log(`simulated ${nodes} nodes, ${snapshots} snapshots (${seconds} s); none of it is real`);
}

function collectorArguments(address: string, tokenFile: string, dataDir: string): string[] {
  return [
    // As the file's first line has them for those who run it by name: a small heap.
    "--max-old-space-size=64",
    "--max-semi-space-size=1",
    join(dist, "collector.mjs"),
    "run",
    ...["--server", address],
    ...["--token-file", tokenFile],
    ...["--spool", join(dataDir, "collector-spool")],
  ];
}

/** The collector is handed nothing of the server: no database address, no secret. */
function collectorEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TZ } = process.env;
  return { NODE_ENV: "production", PATH, HOME, LANG, TZ };
}

/** The given database once it answers, or the embedded one. @returns its address now, which a restart may change. */
async function startDatabase(
  running: Running,
  dataDir: string,
  given: string | undefined,
  signal: AbortSignal,
): Promise<() => string> {
  const log = say("database");
  if (given !== undefined) {
    await checkGivenDatabase(given, log, signal);
    return () => given;
  }
  const database = await superviseDatabase({
    dataDir,
    log,
    signal,
    onNewUrl: () => {
      for (const child of running.children) if (child.name !== "collector") child.restart();
    },
  });
  running.database = database;
  log(`serves on 127.0.0.1:${new URL(database.url()).port}, data in ${dataDir}`);
  return () => database.url();
}

const oldestMajor = 15;

async function checkGivenDatabase(
  url: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const where = new URL(url);
  const name = `${where.hostname}:${where.port || 5432}${where.pathname}`;
  const giveUpAtMs = Date.now() + 60_000;
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ major: number }>(
        "select current_setting('server_version_num')::int / 10000 as major",
      );
      const major = rows[0]?.major ?? 0;
      if (major < oldestMajor) {
        throw new Error(`DATABASE_URL names a PostgreSQL ${major}; ${oldestMajor} or later is needed.`);
      }
      log(`uses PostgreSQL ${major} at ${name}`);
      return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const mayPass = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "57P03", "53300"].includes(
        code ?? "",
      );
      if (!mayPass || Date.now() > giveUpAtMs) {
        throw new Error(`The database of DATABASE_URL (${name}) cannot be used: ${message}`, {
          cause: error,
        });
      }
      if (tries % 5 === 0) log(`waiting for ${name}: ${message}`);
      await delay(1_000, undefined, { signal });
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/**
 * Whether who is at this machine stays administrator. On a laptop, with a database of its own and nobody else who could reach it,
 * they are its owner; elsewhere only when that was said.
 */
function trustsLoopback(): boolean {
  const { trustLoopback, databaseUrl, host } = config();
  return trustLoopback === undefined ? databaseUrl === undefined && isLoopback(host) : trustLoopback === "on";
}

/** Signs sessions; kept, so that who is signed in stays so after a restart. */
function localSecret(dataDir: string): string {
  const given = config().localSecret;
  if (given !== undefined) return given;
  const path = join(dataDir, "local-secret");
  const kept = readSecretFile(path);
  if (kept !== undefined) return kept;
  const made = randomBytes(32).toString("base64url");
  writeSecretFile(path, made);
  return made;
}

async function waitUntilReady(address: string, signal: AbortSignal): Promise<void> {
  const log = say("plumbline");
  const startedAtMs = Date.now();
  let saidAtMs = startedAtMs;
  for (;;) {
    signal.throwIfAborted();
    let state: string;
    try {
      const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (answer.ok) return;
      state = `it answers ${answer.status}: ${(await answer.text()).slice(0, 200).trim()}`;
    } catch {
      state = "it does not answer yet";
    }
    if (Date.now() - saidAtMs > 10_000) {
      saidAtMs = Date.now();
      log(`waiting for the web server: ${state}`);
    }
    await delay(50);
  }
}

function elsewhere(address: string): string {
  return addressElsewhere(config().host, Number(new URL(address).port));
}

await main();
