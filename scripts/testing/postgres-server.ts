import { spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "#processes/database.ts";
import { findBundledPostgres, installPostgresBinaries } from "#processes/postgres-binaries.ts";
import { chooseServiceUser, readPasswd } from "#processes/service-user.ts";

/** A throw-away PostgreSQL for a test run: real, on loopback, without fsync, deleted when stopped. */
export interface TestServer {
  /** Superuser's address of the database `postgres`. */
  url: string;
  stop: () => Promise<void>;
}

const PASSWORD = "plumbline-test";

type RunAs = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root: then it runs as the user that the product would choose. */
function runAs(): RunAs {
  if (userInfo().uid !== 0) return {};
  const user = chooseServiceUser(readPasswd());
  if (user === undefined) throw new Error("Running as root, and there is no user to run PostgreSQL as.");
  return { uid: user.uid, gid: user.gid };
}

/** The binaries that the product brings, installed as the product does it, once for all test runs of a user. */
function bundledBinaries(): string {
  const bundled = findBundledPostgres();
  if (bundled === undefined) throw new Error("No PostgreSQL comes with this installation.");
  const folder = join(tmpdir(), `plumbline-test-postgres-${userInfo().uid}`);
  return dirname(installPostgresBinaries(bundled, folder).postgres);
}

function outputOf(child: ChildProcess): () => string {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)));
  return () => text;
}

async function run(command: string, args: string[], user: RunAs): Promise<void> {
  const child = spawn(command, args, { ...user, stdio: ["ignore", "pipe", "pipe"], cwd: "/" });
  const output = outputOf(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output()}`);
}

async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !hasEnded(); attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error("did not answer");
}

/**
 * Starts a server of its own in a folder of its own.
 * @param options.binDir folder of `initdb` and `postgres`; by default those of the npm package.
 * @param options.durable keeps fsync on, for measurements.
 * @throws Error with the server's own output when it does not come up.
 */
export async function startTestServer(
  options: { binDir?: string; durable?: boolean } = {},
): Promise<TestServer> {
  const bin = options.binDir ?? bundledBinaries();
  const user = runAs();
  const folder = mkdtempSync(join(tmpdir(), "plumbline-test-data-"));
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) {
    chownSync(folder, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  const dataDir = join(folder, "data");
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server?.once("close", resolve));
      // Lets connections that are just closing go in peace; then ends those that a test forgot.
      server.kill("SIGTERM");
      const patience = setTimeout(() => server?.kill("SIGINT"), 2000);
      await ended;
      clearTimeout(patience);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await run(
      join(bin, "initdb"),
      [
        ...["-D", dataDir, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`],
        ...["--encoding=UTF8", "--locale=C", "--no-sync"],
      ],
      user,
    );
    const port = await freePort();
    const url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    const settings: Record<string, string> = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      shared_buffers: "256MB",
      log_min_messages: "fatal",
      ...(options.durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    server = spawn(join(bin, "postgres"), ["-D", dataDir, ...args], {
      ...user,
      stdio: ["ignore", "pipe", "pipe"],
      cwd: "/",
    });
    const output = outputOf(server);
    const child = server;
    await waitUntilReady(url, () => child.exitCode !== null).catch((error: unknown) => {
      throw new Error(`PostgreSQL ${String(error)}: ${output()}`);
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
