import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findEmbeddedDatabaseUrl,
  serverSettings,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./database.ts";
import { runSchedule } from "./run-schedule.ts";

const dataDir = mkdtempSync(join(tmpdir(), "plumbline-database-"));
let server: EmbeddedPostgres;
const said: string[] = [];

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await delay(25);
  }
  return false;
}

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir, log: (line) => said.push(line) });
});

afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("a running server", () => {
  it("serves a role that owns its database and is no superuser", async () => {
    const rows = await query(
      server.url,
      "select current_user::text as name, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user",
    );
    expect(rows).toEqual([{ name: "plumbline", rolsuper: false, rolcreatedb: false, rolcreaterole: false }]);
    await query(server.url, "create schema made_by_test");
  });

  it("writes durably and checks its pages", async () => {
    const rows = await query(
      server.url,
      "select name, setting from pg_settings where name in ('fsync','synchronous_commit','full_page_writes','data_checksums') order by name",
    );
    expect(rows.map((row) => row.setting)).toEqual(["on", "on", "on", "on"]);
  });

  it("listens on 127.0.0.1 alone and trusts nobody", async () => {
    const rows = await query(
      server.adminUrl,
      "select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets, (select array_agg(distinct auth_method) from pg_hba_file_rules) as methods",
    );
    expect(rows).toEqual([{ addresses: "127.0.0.1", sockets: "", methods: ["scram-sha-256"] }]);
    const wrong = new URL(server.url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps its passwords and data to their owners", () => {
    expect(statSync(join(dataDir, "database.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres-18")).mode & 0o777).toBe(0o700);
  });

  it("does not run as root", () => {
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1];
    expect(uid).toBeDefined();
    expect(uid).not.toBe("0");
  });

  it("says what went wrong, and not what each first start asks for before it is there", async () => {
    const pool = new pg.Pool({ connectionString: server.url });
    const quiet = { debug: () => undefined, info: () => undefined, error: () => undefined };
    const runner = await runSchedule({ pool, tasks: [], now: () => Date.now(), log: quiet });
    await runner.stop();
    await pool.end();
    await expect(query(server.url, "select from nothing_like_it")).rejects.toMatchObject({ code: "42P01" });
    const errors = () => said.filter((line) => /does not exist|starting up/.test(line));
    await expect
      .poll(errors, { timeout: 20_000 })
      .toEqual([expect.stringContaining('"nothing_like_it" does not exist')]);
  });

  it("is found by other commands through the data folder", () => {
    expect(findEmbeddedDatabaseUrl(dataDir)).toBe(server.url);
  });

  it("refuses a second server on the folder and names the first", async () => {
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      new RegExp(`already supervised by process ${process.pid}`),
    );
  });
});

describe("faults", () => {
  it("recovers what was committed when the server is killed under a running query", async () => {
    await query(server.url, "create table kept (n int)");
    await query(server.url, "insert into kept select generate_series(1, 1000)");
    const busy = query(server.url, "select pg_sleep(60)").catch((error: unknown) => error);
    await delay(100);
    process.kill(server.pid, "SIGKILL");
    expect((await server.exited).signal).toBe("SIGKILL");
    const before = server.url;
    server = await startEmbeddedPostgres({ dataDir });
    expect(server.url).toBe(before);
    expect(await query(server.url, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
    expect(await busy).toBeInstanceOf(Error);
  });

  it("sets new passwords when the file of passwords is lost", async () => {
    await server.stop();
    const before = server.url;
    rmSync(join(dataDir, "database.json"));
    server = await startEmbeddedPostgres({ dataDir });
    expect(server.url).not.toBe(before);
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("moves to a free port when another program took the last one", async () => {
    await server.stop();
    const taken = createServer();
    taken.listen(server.port, "127.0.0.1");
    await once(taken, "listening");
    const before = server.port;
    server = await startEmbeddedPostgres({ dataDir });
    taken.close();
    expect(server.port).not.toBe(before);
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("ignores a pid file whose number belongs to another process by now", async () => {
    const pidFile = join(dataDir, "postgres-18/postmaster.pid");
    const text = readFileSync(pidFile, "utf8");
    process.kill(server.pid, "SIGKILL");
    await server.exited;
    const stranger = spawn("sleep", ["30"]);
    writeFileSync(pidFile, text.replace(/^\d+/, String(stranger.pid)));
    server = await startEmbeddedPostgres({ dataDir });
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  /** A parent of its own that starts the server and can be killed without taking the test along. */
  async function startInAnotherProcess(): Promise<{ parent: ReturnType<typeof spawn>; pid: number }> {
    const script = `import { startEmbeddedPostgres } from ${JSON.stringify(new URL("./database.ts", import.meta.url).href)};
      startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} }).then((s) => console.log(s.pid));`;
    const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [chunk] = (await once(parent.stdout, "data")) as [Buffer];
    return { parent, pid: Number(chunk.toString()) };
  }

  it("ends the server when its parent is killed", async () => {
    await server.stop();
    const { parent, pid } = await startInAnotherProcess();
    parent.kill("SIGKILL");
    expect(await gone(pid)).toBe(true);
    server = await startEmbeddedPostgres({ dataDir });
    expect(await query(server.url, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
  });

  it("stops an orphan that nothing else stopped", async () => {
    await server.stop();
    const { parent, pid } = await startInAnotherProcess();
    // A stopped watch process cannot react: the orphan stays, as after a kill -9 of everything but PostgreSQL.
    const watch = await childNamed(parent.pid ?? 0, "plumbline-database-watch");
    process.kill(watch, "SIGKILL");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await delay(200);
    expect(() => process.kill(pid, 0)).not.toThrow();
    const lines: string[] = [];
    server = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line) });
    expect(lines).toContain(`stopping a server that was left behind (process ${pid})`);
    expect(await gone(pid)).toBe(true);
    expect(await query(server.url, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
  });
});

async function childNamed(parent: number, name: string): Promise<number> {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number);
  const found = children.find((each) => readFileSync(`/proc/${each}/cmdline`, "utf8").includes(name));
  if (found === undefined) throw new Error(`no child named ${name}`);
  return found;
}

describe("what goes wrong at the start", () => {
  it.runIf(process.getuid?.() === 0)("names the folder that the unprivileged user cannot enter", async () => {
    const closed = mkdtempSync(join(tmpdir(), "plumbline-closed-"));
    await expect(startEmbeddedPostgres({ dataDir: join(closed, "data") })).rejects.toThrow(
      `cannot enter ${closed}`,
    );
    rmSync(closed, { recursive: true });
  });

  it("explains settings that PostgreSQL refuses with what it said", async () => {
    const other = mkdtempSync(join(tmpdir(), "plumbline-refused-"));
    await expect(
      startEmbeddedPostgres({ dataDir: other, settings: { shared_buffers: "nonsense", fsync: "off" } }),
    ).rejects.toThrow(/invalid value for parameter "shared_buffers"/);
    rmSync(other, { recursive: true });
  });

  it("sizes shared buffers by the machine, within bounds", () => {
    expect(serverSettings(256 * 2 ** 20).shared_buffers).toBe("32MB");
    expect(serverSettings(2 * 2 ** 30).shared_buffers).toBe("128MB");
    expect(serverSettings(512 * 2 ** 30).shared_buffers).toBe("256MB");
  });
});
