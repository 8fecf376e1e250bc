import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { snapshotSchema, type Snapshot } from "#lib/domain/snapshot/schema.ts";

const REPOSITORY = path.join(import.meta.dirname, "..");
const TREES = path.join(REPOSITORY, "fixtures/trees");
const FLAGS = ["--max-old-space-size=64", "--max-semi-space-size=1"];
const NOBODY = 65_534;

let home: string;
let bundle: string;

beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "collector-"));
  chmodSync(home, 0o755);
  bundle = path.join(home, "collector.mjs");
  execFileSync(process.execPath, [path.join(REPOSITORY, "scripts/bundle-collector.mjs"), bundle]);
});
afterAll(() => rmSync(home, { recursive: true }));

function print(args: string[], options: { uid?: number; gid?: number } = {}): Record<string, unknown> {
  const output = execFileSync(process.execPath, [bundle, "print", ...args], {
    ...options,
    encoding: "utf8",
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return JSON.parse(output) as Record<string, unknown>;
}

describe("explain", () => {
  const CASES = path.join(REPOSITORY, "fixtures/cases");
  const explain = (args: string[], input = "") =>
    spawnSync(process.execPath, [bundle, "explain", ...args], { encoding: "utf8", cwd: "/", input });
  const record = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

  it("names a leak as JSON and exits 1", () => {
    const { status, stdout } = explain(["--json", path.join(CASES, "017-memcg-ids-near-65535/input.txt")]);
    expect(status).toBe(1);
    expect(record(stdout)).toMatchObject({
      verdict: "leak",
      suspects: ["memory cgroups never removed (live directories)", "cgroup ids nearly exhausted"],
      keyNumbers: { cgroups_memory_count: 64_734 },
      findings: expect.arrayContaining([
        expect.objectContaining({
          signature: "S05",
          certainty: "firm",
        }),
      ]) as unknown,
    });
    for (const finding of record(stdout).findings as Record<string, unknown>[]) {
      for (const field of ["evidence", "counterEvidence", "confirm", "mitigate", "fix", "sources"])
        expect(finding[field], field).toBeDefined();
    }
  });

  it("says to a person what holds the memory, and exits 0 without a finding", () => {
    const { status, stdout } = explain(
      ["-"],
      readFileSync(path.join(CASES, "078-healthy-baseline-8g/input.txt"), "utf8"),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Verdict: not a leak\n/);
    expect(stdout).toMatch(/\[\.+[a-z.]+/);
    expect(stdout).not.toContain("Look at next");
  });

  it("reads what is piped into it without being told", () => {
    const { status, stdout } = explain(["--json"], "SUnreclaim:     42964948 kB\n");
    expect(status).toBe(0);
    expect(record(stdout)).toMatchObject({ verdict: "unclear", keyNumbers: { SUnreclaim: 42_964_948 } });
  });

  it("exits 2 for a text that says nothing", () => {
    expect(explain(["-"], "our nodes die\n").status).toBe(2);
  });

  it.each(["/nonexistent/dump.txt", "/"])("exits 2 and says why where %s cannot be read", (file) => {
    const { status, stdout, stderr } = explain([file]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^plumbline-collector: \S+ cannot be read: /);
  });

  it("reads a node's files where it is given no text, and twice to see growth", () => {
    const tree = path.join(TREES, "5.10-debian11-x86_64");
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        bundle,
        "explain",
        "--json",
        "--over",
        "100ms",
        "--proc",
        path.join(tree, "proc"),
        "--sys",
        path.join(tree, "sys"),
      ],
      { encoding: "utf8", cwd: "/", stdio: ["ignore", "pipe", "pipe"] },
    );
    expect([0, 1]).toContain(status);
    const { kernelRelease, composition, recognised } = record(stdout);
    expect(kernelRelease).toMatch(/^5\.10\./);
    expect(composition).toMatchObject({ totalKib: expect.any(Number) as unknown });
    expect((recognised as { kind: string }[]).map(({ kind }) => kind)).toContain("/proc/zoneinfo");
  });

  it("says so where there is nothing to read", () => {
    const { status, stderr } = spawnSync(process.execPath, [bundle, "explain", "--proc", "/nonexistent"], {
      encoding: "utf8",
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(status).toBe(2);
    expect(stderr).toContain("nothing to explain");
  });
});

describe("read", () => {
  const read = (args: string[], input = "") =>
    spawnSync(process.execPath, [bundle, "read", ...args], { encoding: "utf8", cwd: "/", input });
  const CASES = path.join(REPOSITORY, "fixtures/cases");

  it("says as JSON what a file holds", () => {
    const { status, stdout } = read(["--json", path.join(CASES, "010-gpu-reset-unaccounted/input.txt")]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      recognised: [{ kind: "smem -w" }, { kind: "meminfo", fromLine: 12, toLine: 38, truncated: true }],
      keyNumbers: { MemTotal: 32_866_052, unaccounted: 9_068_744, smem_kernel_noncache: 10_181_744 },
      composition: { totalKib: 32_866_052 },
    });
  });

  it("says in words what standard input holds", () => {
    const { status, stdout } = read([], "SUnreclaim:     42964948 kB\n");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^lines 1-1: meminfo\n\nSUnreclaim +42964948 KiB\n$/);
  });

  it("exits with 2 when it recognises nothing", () => {
    const { status, stdout } = read(["-"], "our nodes die\n");
    expect(status).toBe(2);
    expect(stdout).toContain("lines 1-1: not recognised");
  });
});

describe("print", () => {
  it.each(readdirSync(TREES))("prints the golden snapshot of %s", async (tree) => {
    const at = path.join(TREES, tree);
    const snapshot = print(
      ["--node", "fixture", "--proc", `${at}/proc`, "--sys", `${at}/sys`, "--root", `${at}/root`],
      {},
    );
    expect(snapshotSchema.safeParse(snapshot).error).toBeUndefined();

    expect(Date.parse(String(snapshot.at))).toBeGreaterThan(Date.now() - 60_000);
    expect(snapshot.self).toMatchObject({
      cpuSeconds: expect.any(Number) as number,
      rssKib: expect.any(Number) as number,
    });
    const sources = snapshot.sources as Record<string, { readMs?: number }>;
    for (const source of Object.values(sources)) delete source.readMs;
    delete snapshot.self;
    snapshot.at = "normalised";
    await expect(`${JSON.stringify(snapshot, undefined, 2)}\n`).toMatchFileSnapshot(
      path.join(REPOSITORY, "fixtures/golden/snapshots", `${tree}.json`),
    );
  });

  it("reads this machine", () => {
    const snapshot = snapshotSchema.parse(print(["--label", "rack=7", "--watch", home]));
    expect(snapshot.node).toBe(os.hostname());
    expect(snapshot.bootId).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
    expect(snapshot.meminfo.MemTotal).toBe(Math.round(os.totalmem() / 1024));
    expect(snapshot.pageSizeBytes).toBe(Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" })));
    expect(snapshot.vmstat?.nr_free_pages).toBeGreaterThan(0);
    expect(snapshot.labels).toEqual({ rack: "7" });
    expect(snapshot.watch).toContainEqual({ path: home, files: 1 });
    expect(snapshot.versions).toHaveProperty("os");
  });

  it("says denied, and sends the rest, when it runs as an ordinary user", () => {
    if (process.getuid?.() !== 0) {
      console.log("not root: this very process is the ordinary user");
      expect(print([]).sources).toMatchObject({ slabinfo: { status: "denied" } });
      return;
    }
    const snapshot = snapshotSchema.parse(print([], { uid: NOBODY, gid: NOBODY }));
    expect(snapshot.sources).toMatchObject({
      meminfo: { status: "ok" },
      slabinfo: { status: "denied" },
      vmallocinfo: { status: "denied" },
    });
    expect(snapshot.slab).toBeUndefined();
    expect(snapshot.vmapStack).toBeUndefined();
    expect(snapshot.meminfo.MemTotal).toBeGreaterThan(0);
  });

  it("exits 64 on a wrong command line and 1 on a node it cannot read", () => {
    const code = (args: string[]) => {
      try {
        execFileSync(process.execPath, [bundle, ...args], { stdio: "pipe" });
        return 0;
      } catch (error) {
        return (error as { status: number }).status;
      }
    };
    expect(code(["print", "--bogus"])).toBe(64);
    expect(code(["run"])).toBe(64);
    expect(code(["print", "--proc", home])).toBe(1);
    expect(code(["--help"])).toBe(0);
  });
});

type Behaviour = (
  lines: string[],
  attempt: number,
) => { status: number; headers?: Record<string, string>; body?: string } | "hang";

/** A server that does what a test tells it, and remembers what it confirmed. */
async function startServer(): Promise<{
  url: string;
  confirmed: Snapshot[];
  attempts: { lines: number; authorization: string | undefined }[];
  behave: (behaviour: Behaviour) => void;
  server: Server;
}> {
  const confirmed: Snapshot[] = [];
  const attempts: { lines: number; authorization: string | undefined }[] = [];
  let behaviour: Behaviour = () => ({ status: 200 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const lines = gunzipSync(Buffer.concat(chunks)).toString("utf8").trimEnd().split("\n");
      attempts.push({ lines: lines.length, authorization: request.headers.authorization });
      const answer = behaviour(lines, attempts.length);
      if (answer === "hang") return;
      if (answer.status === 200) {
        const receipt = JSON.parse(
          answer.body ?? JSON.stringify({ accepted: lines.length, duplicates: 0, rejected: [] }),
        ) as { rejected: { index: number }[] };
        const rejected = new Set(receipt.rejected.map(({ index }) => index));
        confirmed.push(
          ...lines
            .filter((_, index) => !rejected.has(index))
            .map((line) => snapshotSchema.parse(JSON.parse(line))),
        );
        response.end(JSON.stringify(receipt));
        return;
      }
      response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    confirmed,
    attempts,
    behave: (next) => {
      behaviour = next;
    },
    server,
  };
}

describe("run", { timeout: 60_000 }, () => {
  let spool: string;
  let running: ChildProcess[];
  let log: Record<string, unknown>[];
  let fake: Awaited<ReturnType<typeof startServer>>;

  beforeEach(async () => {
    spool = mkdtempSync(path.join(home, "spool-"));
    running = [];
    log = [];
    fake = await startServer();
  });
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    fake.server.closeAllConnections();
    await new Promise((resolve) => fake.server.close(resolve));
  });

  function start(args: string[] = []): ChildProcess {
    const child = spawn(
      process.execPath,
      [
        ...FLAGS,
        bundle,
        "run",
        "--server",
        fake.url,
        "--spool",
        spool,
        "--interval",
        "200ms",
        "--push",
        "300ms",
        ...args,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) log.push(JSON.parse(line) as Record<string, unknown>);
    });
    running.push(child);
    return child;
  }

  function ended(child: ChildProcess): Promise<number | null> {
    return new Promise((resolve) => child.once("exit", (code) => resolve(code)));
  }

  /** What waits on disk, as the next run would find it. */
  function spooledTimes(): number[] {
    return readdirSync(spool)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => readFileSync(path.join(spool, name), "utf8").split("\n").slice(0, -1))
      .map((line) => snapshotSchema.parse(JSON.parse(line)).at);
  }

  const messages = () => log.map(({ message }) => message);

  it("samples again and again and delivers every sample once", async () => {
    const child = start();
    await expect.poll(() => fake.confirmed.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(10);
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
    const times = fake.confirmed.map(({ at }) => at);
    expect(new Set(times).size).toBe(times.length);
    expect(spooledTimes()).toEqual([]);
    expect(fake.confirmed.at(-1)?.self).toMatchObject({ droppedSnapshots: 0, version: "0.1.0" });
  });

  it("flushes once at SIGTERM and stops", async () => {
    const child = start(["--push", "60m"]);
    await expect.poll(() => spooledTimes().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
    expect(fake.confirmed.length).toBeGreaterThanOrEqual(3);
    expect(spooledTimes()).toEqual([]);
  });

  it("stops although the server never answers, and keeps what it has", async () => {
    fake.behave(() => "hang");
    const child = start();
    await expect.poll(() => fake.attempts.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(1);
    child.kill("SIGTERM");
    // That it ends at all is the test: the answer never comes.
    expect(await ended(child)).toBe(0);
    expect(spooledTimes().length).toBeGreaterThan(0);
    expect(fake.confirmed).toEqual([]);
  });

  it("does not wait at the end for a program that was asked for its version and hangs", async () => {
    const root = path.join(spool, "root");
    mkdirSync(path.join(root, "usr/bin"), { recursive: true });
    writeFileSync(path.join(root, "usr/bin/runc"), "#!/bin/sh\nsleep 45\n", { mode: 0o755 });
    const child = start(["--root", root]);
    await expect.poll(() => fake.confirmed.length, { timeout: 20_000 }).toBeGreaterThan(0);
    child.kill("SIGTERM");
    // The program sleeps for longer than a test may take.
    expect(await ended(child)).toBe(0);
  });

  it("loses nothing over an outage and kill -9 in the middle of it", async () => {
    fake.behave(() => ({ status: 503 }));
    const first = start();
    await expect.poll(() => spooledTimes().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
    first.kill("SIGKILL");
    await ended(first);
    const kept = spooledTimes();
    fake.behave(() => ({ status: 200 }));
    const second = start();
    await expect
      .poll(() => kept.filter((at) => fake.confirmed.some((each) => each.at === at)).length, {
        timeout: 20_000,
      })
      .toBe(kept.length);
    second.kill("SIGTERM");
    expect(await ended(second)).toBe(0);
    expect(spooledTimes()).toEqual([]);
    const times = fake.confirmed.map(({ at }) => at);
    expect(new Set(times).size).toBe(times.length);
  });

  it("loses nothing when it is killed again and again while it sends", async () => {
    const everSpooled = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      const child = start();
      const before = fake.attempts.length;
      await expect.poll(() => fake.attempts.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(before);
      child.kill("SIGKILL");
      await ended(child);
      for (const at of spooledTimes()) everSpooled.add(at);
    }
    const last = start();
    await expect
      .poll(() => spooledTimes().filter((at) => everSpooled.has(at)), { timeout: 20_000 })
      .toEqual([]);
    last.kill("SIGTERM");
    await ended(last);
    const confirmed = new Set(fake.confirmed.map(({ at }) => at));
    expect([...everSpooled].filter((at) => !confirmed.has(at))).toEqual([]);
  });

  it("waits as long as Retry-After asks", async () => {
    const arrivals: number[] = [];
    fake.behave((_lines, attempt) => {
      arrivals.push(performance.now());
      return attempt === 1 ? { status: 429, headers: { "Retry-After": "2" } } : { status: 200 };
    });
    start();
    await expect.poll(() => fake.confirmed.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1900);
  });

  it("splits at 413", async () => {
    fake.behave((lines) => (lines.length > 1 ? { status: 413 } : { status: 200 }));
    const child = start(["--push", "2s"]);
    await expect.poll(() => fake.confirmed.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
    expect(fake.attempts.some(({ lines }) => lines > 1)).toBe(true);
    child.kill("SIGTERM");
    await ended(child);
    expect(spooledTimes()).toEqual([]);
  });

  it("drops what is refused for good, counts it, and delivers the neighbours", async () => {
    let refused: number | undefined;
    fake.behave((lines) => {
      if (refused !== undefined || lines.length < 2) return { status: 200 };
      refused = snapshotSchema.parse(JSON.parse(lines[0] ?? "")).at;
      const rejected = [{ index: 0, code: "invalid", detail: "for the test" }];
      return { status: 200, body: JSON.stringify({ accepted: lines.length - 1, duplicates: 0, rejected }) };
    });
    start(["--push", "1s"]);
    await expect.poll(() => fake.confirmed.at(-1)?.self?.droppedSnapshots, { timeout: 20_000 }).toBe(1);
    expect(fake.confirmed.some(({ at }) => at === refused)).toBe(false);
    expect(messages()).toContain("server refused a snapshot for good");
  });

  it("keeps spooling at 401 and goes on as soon as the token file holds a good token", async () => {
    const tokenFile = path.join(spool, "token");
    mkdirSync(spool, { recursive: true });
    writeFileSync(tokenFile, "stale\n");
    fake.behave(() =>
      fake.attempts.at(-1)?.authorization === "Bearer fresh" ? { status: 200 } : { status: 401 },
    );
    start(["--token-file", tokenFile]);
    await expect
      .poll(messages, { timeout: 20_000 })
      .toContain("server does not take this token (401); keeping snapshots");
    expect(spooledTimes().length).toBeGreaterThan(0);
    writeFileSync(tokenFile, "fresh\n");
    await expect.poll(() => fake.confirmed.length, { timeout: 30_000 }).toBeGreaterThan(2);
    expect(messages()).toContain("token was replaced; trying again");
  });

  it("refuses to share a spool", async () => {
    start();
    await expect.poll(() => fake.confirmed.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await ended(start())).toBe(1);
    expect(messages()).toContain("collector ends");
  });
});
