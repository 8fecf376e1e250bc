import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { QUEUE_SCHEMA } from "#lib/server/data/worker-queue.ts";
import { explainPostgresFailure } from "./explain-postgres-failure.ts";
import { acquireFolderLock, isRunning, processStartTicks, type FolderLock } from "./folder-lock.ts";
import { findBundledPostgres, installPostgresBinaries, type InstalledPostgres } from "./postgres-binaries.ts";
import { chooseServiceUser, closedFolderAbove, readPasswd, type ServiceUser } from "./service-user.ts";

/** A start that failed, said so that an operator can act on it. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

export interface EmbeddedPostgresOptions {
  /** Holds binaries, data and secrets. Default: {@link defaultDataDir}. */
  dataDir?: string;
  /** Receives one line at a time: progress, and PostgreSQL's warnings and errors. */
  log?: (line: string) => void;
  /** Server settings over the defaults, for instance `{ fsync: "off" }` in tests. */
  settings?: Record<string, string>;
  /** Aborts a start that still waits. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** For the product: owner of the database `plumbline`, no superuser. */
  url: string;
  /** For tests and maintenance: the superuser, database `postgres`. */
  adminUrl: string;
  port: number;
  pid: number;
  /** Resolves when the server is gone, whoever ended it. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Fast shutdown with a checkpoint; harder after `graceMs` (default 30 s). */
  stop(graceMs?: number): Promise<void>;
}

interface Secrets {
  port: number;
  adminPassword: string;
  password: string;
}

const adminUser = "postgres";
const appUser = "plumbline";
const appDatabase = "plumbline";

/** Where data lives unless PLUMBLINE_DATA_DIR says otherwise: a folder that root's unprivileged helper can reach. */
export function defaultDataDir(): string {
  return process.getuid?.() === 0 ? "/var/lib/plumbline" : join(homedir(), ".local/share/plumbline");
}

/**
 * Starts the bundled PostgreSQL on `dataDir`, making the data folder at first. Listens on 127.0.0.1 alone, asks every
 * connection for a password (scram), keeps fsync and synchronous commits on. Root runs it as an existing unprivileged
 * user. One server a folder: a server left behind by a killed parent is stopped first, a living parent is an error.
 * @throws EmbeddedPostgresError with what happened and what to do.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir ?? defaultDataDir());
  const log = options.log ?? (() => undefined);
  let lock: FolderLock | undefined;
  try {
    const folder = prepareDataDir(dataDir);
    const acquired = acquireFolderLock(join(folder, "database.lock"));
    if ("heldBy" in acquired) {
      throw new EmbeddedPostgresError(
        `The database in ${folder} is already supervised by process ${acquired.heldBy.pid}.`,
      );
    }
    lock = acquired.lock;
    const server = await startLocked(folder, log, options);
    const held = lock;
    void server.exited.then(() => held.release());
    return server;
  } catch (error) {
    lock?.release();
    throw explained(error);
  }
}

/** URL of the running embedded database on `dataDir`; undefined when none is recorded there or it does not run. */
export function findEmbeddedDatabaseUrl(dataDir: string): string | undefined {
  const secrets = readSecrets(dataDir);
  const major = findBundledPostgres()?.major;
  if (secrets === undefined || major === undefined) return undefined;
  const server = readPostmasterPid(join(dataDir, `postgres-${major}`));
  if (server === undefined || !isRunning({ pid: server.pid, startTicks: null })) return undefined;
  return connectionUrl(appUser, secrets.password, server.port ?? secrets.port, appDatabase);
}

function explained(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const advice = explainPostgresFailure(message);
  return new EmbeddedPostgresError(advice === undefined ? message : `${message}\n${advice}`, {
    cause: error,
  });
}

/** Makes the data folder if need be. @returns its real path. */
export function prepareDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const folder = realpathSync(dataDir);
  if (process.getuid?.() === 0) {
    const { uid, mode } = statSync(folder);
    // Others may pass through, not list: each secret below has mode 0600, the data 0700.
    if (uid === 0 && (mode & 0o011) !== 0o011) chmodSync(folder, (mode & 0o777) | 0o011);
  }
  return folder;
}

async function startLocked(
  folder: string,
  log: (line: string) => void,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const bundled = findBundledPostgres();
  if (bundled === undefined) {
    throw new EmbeddedPostgresError(
      `No PostgreSQL comes with this installation for ${process.platform}-${process.arch} (or optional npm packages were left out). Set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
  const pgData = join(folder, `postgres-${bundled.major}`);
  const user = serviceUser(pgData);
  if (user !== undefined) {
    const closed = closedFolderAbove(folder, user);
    if (closed !== undefined) {
      throw new EmbeddedPostgresError(
        `PostgreSQL runs as the user ${user.name}, which cannot enter ${closed}. Choose another PLUMBLINE_DATA_DIR (default ${defaultDataDir()}).`,
      );
    }
  }
  const binaries = installPostgresBinaries(bundled, join(folder, "binaries"));
  await stopOrphan(pgData, log);
  let secrets = readSecrets(folder);
  if (!existsSync(join(pgData, "PG_VERSION"))) {
    secrets = newSecrets();
    await initialise(binaries, folder, pgData, user, secrets, options.settings?.fsync === "off");
    writeSecrets(folder, secrets);
    log("made a new database");
  } else if (secrets === undefined) {
    secrets = newSecrets();
    await resetAdminPassword(binaries, pgData, user, secrets.adminPassword);
    writeSecrets(folder, secrets);
    log("the file of passwords was lost; new ones are set");
  }
  const launched = await launchUntilReady(binaries, pgData, user, secrets, log, options);
  try {
    if (launched.port !== secrets.port) writeSecrets(folder, { ...secrets, port: launched.port });
    await ensureRoleAndDatabase(launched.port, secrets);
  } catch (error) {
    await launched.stop();
    throw error;
  }
  return {
    ...launched,
    url: connectionUrl(appUser, secrets.password, launched.port, appDatabase),
    adminUrl: connectionUrl(adminUser, secrets.adminPassword, launched.port, "postgres"),
  };
}

function serviceUser(pgData: string): ServiceUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = chooseServiceUser(readPasswd(), existsSync(pgData) ? statSync(pgData) : undefined);
  if (user === undefined) {
    throw new EmbeddedPostgresError(
      "PostgreSQL refuses to run as root and this system has neither the user nobody nor daemon. Start Plumbline as an ordinary user, or set DATABASE_URL.",
    );
  }
  return user;
}

function connectionUrl(user: string, password: string, port: number, database: string): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`;
}

const secretsFile = "database.json";

function newSecrets(): Secrets {
  return {
    port: 0,
    adminPassword: randomBytes(24).toString("base64url"),
    password: randomBytes(24).toString("base64url"),
  };
}

function readSecrets(folder: string): Secrets | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, secretsFile), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { port, adminPassword, password } = JSON.parse(text) as Partial<Secrets>;
    if (typeof port !== "number" || typeof adminPassword !== "string" || typeof password !== "string") {
      return undefined;
    }
    return { port, adminPassword, password };
  } catch {
    return undefined;
  }
}

function writeSecrets(folder: string, secrets: Secrets): void {
  const draft = join(folder, `${secretsFile}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(secrets)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, secretsFile));
}

/** Nothing of our environment reaches PostgreSQL: PGPORT, PGDATA and locales would change what it does. */
function runAs(user: ServiceUser | undefined, cwd: string) {
  return {
    cwd,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  };
}

/** Runs a program to its end. @throws Error with its output when it fails. */
async function run(
  file: string,
  args: string[],
  options: ReturnType<typeof runAs>,
  input = "",
): Promise<void> {
  const child = spawn(file, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8_000)));
  }
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | string | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", (exitCode, signal) => done(exitCode ?? signal));
  });
  if (code !== 0) throw new Error(`${file} failed (${code}):\n${output.trim()}`);
}

/** Makes the data folder beside its final place and renames it, so that an interrupted start leaves no half of one. */
async function initialise(
  binaries: InstalledPostgres,
  folder: string,
  pgData: string,
  user: ServiceUser | undefined,
  secrets: Secrets,
  noSync: boolean,
): Promise<void> {
  if (existsSync(pgData) && readdirSync(pgData).length > 0) {
    throw new EmbeddedPostgresError(
      `${pgData} holds files that are not a PostgreSQL data folder. Move them away, or choose another PLUMBLINE_DATA_DIR.`,
    );
  }
  for (const left of readdirSync(folder).filter((each) => each.startsWith("initialising-"))) {
    rmSync(join(folder, left), { recursive: true, force: true });
  }
  const staging = join(folder, `initialising-${process.pid}`);
  mkdirSync(join(staging, "data"), { recursive: true, mode: 0o700 });
  const passwordFile = join(staging, "password");
  writeFileSync(passwordFile, secrets.adminPassword, { mode: 0o600 });
  try {
    if (user !== undefined) {
      for (const each of [staging, join(staging, "data"), passwordFile]) chownSync(each, user.uid, user.gid);
    }
    await run(
      binaries.initdb,
      [
        `--pgdata=${join(staging, "data")}`,
        `--username=${adminUser}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions",
        ...(noSync ? ["--no-sync"] : []),
      ],
      runAs(user, staging),
    );
    rmSync(pgData, { recursive: true, force: true });
    renameSync(join(staging, "data"), pgData);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Single-user mode needs no password: it is how a lost one is replaced. */
async function resetAdminPassword(
  binaries: InstalledPostgres,
  pgData: string,
  user: ServiceUser | undefined,
  password: string,
): Promise<void> {
  await run(
    binaries.postgres,
    ["--single", "-D", pgData, "postgres"],
    runAs(user, pgData),
    `ALTER ROLE ${adminUser} PASSWORD '${password}';\n`,
  );
}

interface PostmasterPid {
  pid: number;
  port: number | undefined;
}

function readPostmasterPid(pgData: string): PostmasterPid | undefined {
  try {
    const lines = readFileSync(join(pgData, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
    return { pid, port: Number.isSafeInteger(port) && port > 0 ? port : undefined };
  } catch {
    return undefined;
  }
}

/** Whether the process is a PostgreSQL whose working folder is this data folder (a postmaster always stands there). */
function isPostgresOn(pid: number, pgData: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === pgData &&
      readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n"
    );
  } catch {
    return false;
  }
}

/** Stops a server whose supervisor was killed, and removes the pid file of one that is gone. */
async function stopOrphan(pgData: string, log: (line: string) => void): Promise<void> {
  const found = readPostmasterPid(pgData);
  if (found === undefined) return;
  const holder = { pid: found.pid, startTicks: processStartTicks(found.pid) };
  if (isPostgresOn(found.pid, pgData)) {
    log(`stopping a server that was left behind (process ${found.pid})`);
    for (const [signal, waitMs] of [
      ["SIGINT", 30_000],
      ["SIGQUIT", 10_000],
      ["SIGKILL", 5_000],
    ] as const) {
      try {
        process.kill(found.pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
      for (const end = Date.now() + waitMs; Date.now() < end && isRunning(holder);) await delay(50);
      if (!isRunning(holder)) return;
    }
    throw new EmbeddedPostgresError(`Process ${found.pid} serves ${pgData} and cannot be stopped.`);
  }
  // Where /proc tells us that the number now belongs to something else, the file is stale; PostgreSQL would only see
  // that some process has the number and refuse. Elsewhere it decides for itself.
  if (existsSync("/proc/self/stat")) rmSync(join(pgData, "postmaster.pid"), { force: true });
}

/** Settings for a machine that does other work too. Durability stays at PostgreSQL's defaults: everything on. */
export function serverSettings(totalMemoryBytes: number): Record<string, string> {
  const sharedMib = Math.max(32, Math.min(256, Math.floor(totalMemoryBytes / 2 ** 20 / 16)));
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    password_encryption: "scram-sha-256",
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: `${sharedMib}MB`,
    effective_cache_size: `${sharedMib * 4}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    max_connections: "60",
    max_wal_size: "1GB",
    min_wal_size: "80MB",
    checkpoint_timeout: "15min",
    random_page_cost: "1.1",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    log_line_prefix: "",
    logging_collector: "off",
  };
}

/** A port of 127.0.0.1 that nothing listens on right now. */
export async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") fail(new Error("no free port"));
        else done(address.port);
      });
    });
  });
}

/**
 * Lines that read like faults and are none. The worker's queue asks for its table before it has made it, at each first start,
 * and makes it when it is told that there is none; if that fails, the worker says so. And `waitUntilReady` asks until it is let in.
 */
const EXPECTED = new RegExp(
  `^ERROR: +relation "${QUEUE_SCHEMA}\\.migrations" does not exist|^FATAL: +the database system is starting up`,
);

type Launched = Omit<EmbeddedPostgres, "url" | "adminUrl">;

/** Starts the server on its last port or a free one; tries again while a port or the memory of a killed server is taken. */
async function launchUntilReady(
  binaries: InstalledPostgres,
  pgData: string,
  user: ServiceUser | undefined,
  secrets: Secrets,
  log: (line: string) => void,
  options: EmbeddedPostgresOptions,
): Promise<Launched> {
  let port = secrets.port > 0 ? secrets.port : await freePort();
  const giveUpAtMs = Date.now() + 30_000;
  for (;;) {
    const { launched, tail } = launch(binaries, pgData, user, port, log, options.settings ?? {});
    const problem = await waitUntilReady(launched, port, secrets, log, options.signal);
    if (problem === undefined) return launched;
    await launched.stop();
    const output = tail.join("\n");
    const portTaken = /Address already in use|could not create any TCP\/IP sockets/.test(output);
    const memoryHeld = /pre-existing shared memory block/.test(output);
    if (options.signal?.aborted === true || Date.now() > giveUpAtMs || !(portTaken || memoryHeld)) {
      throw new Error(`PostgreSQL did not start: ${problem}\n${output}`.trim());
    }
    if (portTaken) port = await freePort();
    else await delay(250);
  }
}

function launch(
  binaries: InstalledPostgres,
  pgData: string,
  user: ServiceUser | undefined,
  port: number,
  log: (line: string) => void,
  settings: Record<string, string>,
): { launched: Launched; tail: string[] } {
  const merged = { ...serverSettings(totalmem()), ...settings, port: String(port) };
  const args = Object.entries(merged).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // A session of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops the database last.
  const child = spawn(binaries.postgres, ["-D", pgData, ...args], {
    ...runAs(user, pgData),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const tail: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    tail.push(line);
    if (tail.length > 40) tail.shift();
    if (/^(WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|postgres:)/.test(line) && !EXPECTED.test(line)) log(line);
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once("error", (error) => {
      tail.push(error.message);
      done({ code: null, signal: null });
    });
    child.once("close", (code, signal) => done({ code, signal }));
  });
  const watcher = child.pid === undefined ? undefined : watchOverServer(child.pid, pgData, user);
  void exited.then(() => watcher?.stdin?.end());
  return {
    launched: { port, pid: child.pid ?? 0, exited, stop: (graceMs) => stopChild(child, exited, graceMs) },
    tail,
  };
}

/**
 * Stops the server when this process dies without doing it (kill -9): a shell holds the other end of a pipe that only
 * our death or the server's end closes. It runs as the server's user, so it can end nothing else.
 */
function watchOverServer(pid: number, pgData: string, user: ServiceUser | undefined): ChildProcess {
  const script = 'read -r _; [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ] && kill -INT "$1"';
  const watcher = spawn("/bin/sh", ["-c", script, "plumbline-database-watch", String(pid), pgData], {
    ...runAs(user, pgData),
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell the next start still finds and stops the server.
  watcher.on("error", () => undefined);
  watcher.stdin?.on("error", () => undefined);
  watcher.unref();
  return watcher;
}

async function stopChild(child: ChildProcess, exited: Launched["exited"], graceMs = 30_000): Promise<void> {
  for (const [signal, waitMs] of [
    ["SIGINT", graceMs],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) break;
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([exited, delay(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }
  await exited;
}

/** Waits until the server takes connections; says why when it will not. Recovery after a crash may take its time. */
async function waitUntilReady(
  server: Launched,
  port: number,
  secrets: Secrets,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let ended: string | undefined;
  void server.exited.then(({ code, signal: by }) => (ended = `it ended (${code ?? by ?? "not started"})`));
  const startedAtMs = Date.now();
  let saidAtMs = startedAtMs;
  for (;;) {
    if (ended !== undefined) return ended;
    if (signal?.aborted === true) return "the start was called off";
    const attempt = tryConnection(connectionUrl(adminUser, secrets.adminPassword, port, "postgres"));
    const failure = await Promise.race([
      attempt,
      server.exited.then(() => ({ code: undefined, message: "" })),
    ]);
    if (ended !== undefined) return ended;
    if (failure === undefined) return undefined;
    if (failure.code === "28P01") return "it does not accept the recorded password";
    if (Date.now() - startedAtMs > 600_000) return failure.message;
    if (Date.now() - saidAtMs > 5_000) {
      saidAtMs = Date.now();
      log(`waiting for the database: ${failure.message}`);
    }
    await delay(25);
  }
}

async function tryConnection(
  url: string,
): Promise<{ code: string | undefined; message: string } | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Repeats what an interrupted first start may have left undone; the password of the file is the one that holds. */
async function ensureRoleAndDatabase(port: number, secrets: Secrets): Promise<void> {
  const client = new pg.Client({
    connectionString: connectionUrl(adminUser, secrets.adminPassword, port, "postgres"),
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const role = await client.query("select from pg_roles where rolname = $1", [appUser]);
    const verb = role.rowCount === 0 ? "CREATE" : "ALTER";
    await client.query(`${verb} ROLE ${appUser} LOGIN PASSWORD '${secrets.password}'`);
    const database = await client.query("select from pg_database where datname = $1", [appDatabase]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${appDatabase} OWNER ${appUser}`);
  } finally {
    await client.end();
  }
}
