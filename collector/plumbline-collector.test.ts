import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRawSample } from "#lib/domain/snapshot/from-raw.ts";
import { splitRawText, type RawSample } from "#lib/domain/snapshot/raw-text.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { RAW_SECTIONS, fixtureTrees, goldenSnapshot, treePath } from "../scripts/testing/fixture-trees.ts";

const SCRIPT = path.join(import.meta.dirname, "plumbline-collector.sh");
const TOKEN = "pl_secret_0123456789abcdefghij";
const RECEIPT = '{"accepted":1,"duplicates":0,"rejected":[]}';
const NOBODY = 65_534;

function find(program: string): string | undefined {
  const found = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
  return found === "" ? undefined : found;
}

interface Shell {
  name: string;
  command: string[];
  /** Folder of the tools that it is run with, before all others. */
  tools: string | undefined;
}

const busybox = find("busybox");
const dash = find("dash");
const shells: Shell[] = [
  { name: dash === undefined ? "sh" : "dash", command: [dash ?? "/bin/sh"], tools: undefined },
];
const bash = find("bash");
// What CentOS 7 calls sh.
if (bash !== undefined) shells.push({ name: "bash --posix", command: [bash, "--posix"], tools: undefined });
if (busybox === undefined) {
  console.log("SKIPPED under busybox: it is not installed (apt-get install busybox)");
} else {
  // Every tool that the script asks for is then that of busybox; it has no curl.
  const tools = mkdtempSync(path.join(os.tmpdir(), "busybox-"));
  for (const tool of [
    ...["tail", "ls", "wc", "cat", "date", "sleep", "rm", "mv", "mkdir", "tr", "gzip", "timeout", "env"],
  ]) {
    writeFileSync(path.join(tools, tool), `#!${busybox} sh\nexec ${busybox} ${tool} "$@"\n`, { mode: 0o755 });
  }
  afterAll(() => rmSync(tools, { recursive: true }));
  shells.push({ name: "busybox sh", command: [busybox, "sh"], tools });
}

let home: string;
let spool: string;
let tokenFile: string;
const servers: Server[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "plumbline-sh-"));
  chmodSync(home, 0o755);
  spool = path.join(home, "the spool");
  tokenFile = path.join(home, "token");
  writeFileSync(tokenFile, `${TOKEN}\n`);
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(home, { recursive: true, force: true });
});

type Answer = { status: number; body?: string; headers?: Record<string, string> } | "hang";
interface Received {
  url: string;
  authorization: string | undefined;
  samples: RawSample[];
}

/** A server that answers as told and remembers what it was sent. */
async function startServer(answer: (attempt: number, received: Received) => Answer) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
      const one: Received = {
        url: request.url ?? "",
        authorization: request.headers.authorization,
        samples: splitRawText(text.toString("utf8")),
      };
      received.push(one);
      const told = answer(received.length, one);
      if (told === "hang") return;
      response.writeHead(told.status, told.headers);
      response.end(told.body ?? (told.status === 200 ? RECEIPT : "{}"));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

describe.each(shells)("under $name", ({ command, tools }) => {
  const [shell = "", ...before] = command;
  // The types of Next.js ask for NODE_ENV in every environment.
  const env = {
    PATH: [...(tools === undefined ? [] : [tools]), process.env.PATH].join(":"),
    HOME: "/nonexistent",
  } as unknown as NodeJS.ProcessEnv;
  const options = { env, cwd: "/", encoding: "utf8" as const };

  function print(args: string[], as: { uid?: number; gid?: number } = {}) {
    const { stdout, stderr, status } = spawnSync(shell, [...before, SCRIPT, "--print", ...args], {
      ...options,
      ...as,
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const [sample, more] = splitRawText(stdout);
    if (sample === undefined || more !== undefined) throw new Error("not one sample");
    return { sample, ...readRawSample(sample, { node: "fixture", at: Number(sample.at) }) };
  }

  /** Runs to the end; the server of the test answers meanwhile. */
  const run = (args: string[]) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      execFile(
        shell,
        [...before, SCRIPT, "--node", "n.1", "--spool", spool, ...args],
        options,
        (error, _, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stderr }),
      );
    });
  const once = (server: string, args: string[] = []) =>
    run(["--server", server, "--token-file", tokenFile, "--once", ...args]);
  const waiting = () => readdirSync(spool).filter((name) => name.startsWith("sample-"));

  it.each(fixtureTrees())("prints of %s what the collector makes of it", (tree) => {
    const at = treePath(tree);
    const golden = goldenSnapshot(tree);
    const { snapshot, warnings } = print([
      "--proc",
      `${at}/proc`,
      "--sys",
      `${at}/sys`,
      "--root",
      `${at}/root`,
    ]);
    expect(warnings).toEqual([]);
    for (const key of RAW_SECTIONS) {
      expect(snapshot?.[key], key).toEqual(golden[key]);
    }
  });

  it("reads this machine, and counts what it is told to", () => {
    const directory = path.join(home, "a b");
    mkdirSync(directory);
    for (const name of [".hidden", "one", "two words", "-x"]) writeFileSync(path.join(directory, name), "");
    const { sample, snapshot } = print(["--watch", directory, `--watch=${home}/none`]);
    expect(Math.abs(Number(sample.at) - Date.now())).toBeLessThan(60_000);
    expect(snapshotSchema.safeParse(snapshot).error).toBeUndefined();
    expect(snapshot?.bootId).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
    expect(snapshot?.meminfo.MemTotal).toBe(Math.round(os.totalmem() / 1024));
    expect(snapshot?.pageSizeBytes).toBe(Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" })));
    expect(snapshot?.pcpFreePages).toBeGreaterThan(0);
    expect(snapshot?.watch).toContainEqual({ path: directory, files: 4 });
    expect(snapshot?.sources).toMatchObject({
      [`watch:${home}/none`]: { status: "absent" },
      vmstat: { status: "ok" },
    });
  });

  it("says what it does not read at all, and why", () => {
    const { snapshot, warnings } = print([]);
    expect(warnings).toEqual([]);
    for (const name of [
      "kmsg",
      "journal",
      "logs",
      "netns",
      "cgroup-trees",
      "cgroup-directories",
      "cgroups-created",
    ]) {
      expect(snapshot?.sources?.[name], name).toMatchObject({
        status: "absent",
        detail: expect.stringMatching(
          /^the shell collector does not .+; use the collector for Node\.js$/,
        ) as string,
      });
    }
  });

  it("asks programs for their version, without its own environment", () => {
    mkdirSync(path.join(home, "root/usr/bin"), { recursive: true });
    mkdirSync(path.join(home, "root/etc"));
    writeFileSync(path.join(home, "root/etc/os-release"), 'PRETTY_NAME="CentOS Linux 7 (Core)"\n');
    const programs = {
      runc: 'echo "runc version 1.0.0-rc8"; echo "spec: 1.0.1"; /usr/bin/env >"${0%/*}/seen"',
      crun: "exit 1",
      kubelet: 'read -r line || echo "Kubernetes v1.18.2"',
    };
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(path.join(home, "root/usr/bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    expect(print(["--root", `${home}/root`]).snapshot?.versions).toEqual({
      collector: "sh 1",
      os: "CentOS Linux 7 (Core)",
      runc: "1.0.0-rc8",
      kubelet: "1.18.2",
    });
    expect(readFileSync(path.join(home, "root/usr/bin/seen"), "utf8")).not.toContain("HOME=");
  });

  it("says denied, and sends the rest, as an ordinary user", () => {
    if (process.getuid?.() !== 0) {
      console.log("not root: this very process is the ordinary user");
      expect(print([]).snapshot?.sources).toMatchObject({ slabinfo: { status: "denied" } });
      return;
    }
    const closed = path.join(home, "closed");
    mkdirSync(path.join(closed, "below"), { recursive: true });
    chmodSync(closed, 0o700);
    const libpod = path.join(home, "root/run/libpod");
    mkdirSync(path.join(libpod, "exits"), { recursive: true });
    chmodSync(libpod, 0o700);
    const nobody = { uid: NOBODY, gid: NOBODY };
    expect(print(["--root", `${home}/root`], nobody).snapshot?.sources).toMatchObject({
      "watch:/run/libpod/exits": { status: "denied" },
    });
    const { snapshot } = print(["--watch", closed, "--watch", `${closed}/below`], nobody);
    expect(snapshot?.sources).toMatchObject({
      meminfo: { status: "ok" },
      slabinfo: { status: "denied" },
      vmallocinfo: { status: "denied" },
      [`watch:${closed}`]: { status: "denied" },
      [`watch:${closed}/below`]: { status: "denied" },
    });
    expect(snapshot?.slab).toBeUndefined();
    expect(snapshot?.watch ?? []).not.toContainEqual(expect.objectContaining({ path: closed }));
  });

  it("sends with the token, which no command line shows", async () => {
    writeFileSync(tokenFile, `${TOKEN}\r\n`);
    const seen: string[] = [];
    const { url, received } = await startServer(() => {
      for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
          seen.push(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
        } catch {
          // Gone meanwhile.
        }
      }
      return { status: 200 };
    });
    const root = path.join(home, "root");
    mkdirSync(path.join(root, "usr/bin"), { recursive: true });
    const runc = path.join(root, "usr/bin/runc");
    writeFileSync(runc, `#!/bin/sh\necho . >>"\${0%/*}/count"\necho runc version 1.0.0-rc8\n`, {
      mode: 0o755,
    });
    expect(await once(url, ["--root", root])).toEqual({ code: 0, stderr: "" });
    await delay(1100);
    expect(await once(url, ["--root", root])).toEqual({ code: 0, stderr: "" });
    // Asked by the first run, remembered by the second.
    expect(readFileSync(path.join(root, "usr/bin/count"), "utf8")).toBe(".\n");
    const versions = received.map(({ samples }) =>
      samples[0] === undefined
        ? undefined
        : readRawSample(samples[0], { node: "n", at: 1 }).snapshot?.versions,
    );
    expect(versions).toEqual([1, 2].map(() => ({ collector: "sh 1", runc: "1.0.0-rc8" })));
    expect(received[0]).toMatchObject({ url: "/api/v1/raw?node=n.1", authorization: `Bearer ${TOKEN}` });
    expect(received[0]?.samples).toHaveLength(1);
    expect(seen.some((line) => line.includes("curl"))).toBe(true);
    expect(seen.some((line) => line.includes(TOKEN))).toBe(false);
    expect(readdirSync(spool).sort()).toEqual(["quarter", "versions"]);
    // What is read rarely was in the first sample alone.
    const rare = received.map(({ samples }) =>
      samples[0]?.parts.some(({ name }) => name.endsWith("/vmallocinfo")),
    );
    expect(rare).toEqual([true, false]);
  });

  it("keeps what the server does not take, waits as long as it asks, and then sends all in order", async () => {
    const { url, received } = await startServer((attempt) =>
      attempt === 1
        ? { status: 503, headers: { "retry-after": "40" }, body: '{"detail":"The database is away."}' }
        : { status: 200 },
    );
    const first = await once(url);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain("The database is away. (status 503)");
    const notBefore = Number(readFileSync(path.join(spool, "not-before"), "utf8"));
    expect(notBefore - Date.now() / 1000).toBeGreaterThan(35);
    await delay(1100);
    const second = await once(url);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("asked for patience");
    expect(received).toHaveLength(1);
    expect(waiting()).toHaveLength(2);
    // What a crash may leave of such a file asks for nothing.
    writeFileSync(path.join(spool, "not-before"), "17\u0000x9\n");
    await delay(1100);
    expect((await once(url)).code).toBe(0);
    const times = received[1]?.samples.map(({ at }) => Number(at)) ?? [];
    expect(times).toHaveLength(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it("says why a server cannot be reached, and who else answers", async () => {
    const { url, received } = await startServer((attempt) =>
      attempt === 1
        ? { status: 200, body: "<html>a portal</html>" }
        : { status: 401, body: '{"detail":"revoked"}' },
    );
    expect((await once(url)).stderr).toContain("no Plumbline server answers");
    rmSync(path.join(spool, "not-before"));
    expect((await once(url)).stderr).toContain(
      "does not take this token; keeping samples: revoked (status 401)",
    );
    rmSync(path.join(spool, "not-before"));
    writeFileSync(tokenFile, 'not a token: "\n');
    const refused = await once("http://127.0.0.1:1");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(
      /holds something else than a token[^]*cannot be reached; keeping samples: curl/,
    );
    expect(received).toHaveLength(2);
    expect(waiting().length).toBeGreaterThan(0);
  });

  it("sends less at once to a server that calls it too much, and gives up what is too much alone", async () => {
    mkdirSync(spool);
    for (let second = 1; second <= 5; second += 1) {
      writeFileSync(path.join(spool, `sample-100000000${second}`), `==> plumbline sample at=${second} <==\n`);
    }
    const { url, received } = await startServer((_, { samples }) =>
      samples.some(({ at }) => at === "3")
        ? { status: 413, body: '{"detail":"The body is larger than 1 bytes."}' }
        : { status: 200 },
    );
    const { code, stderr } = await once(url);
    expect(code).toBe(0);
    expect(stderr).toContain("refused a sample for good: The body is larger than 1 bytes. (status 413)");
    const taken = received
      .filter(({ samples }) => !samples.some(({ at }) => at === "3"))
      .flatMap(({ samples }) => samples.map(({ at }) => Number(at)));
    expect(taken.slice(0, 4)).toEqual([1, 2, 4, 5]);
    expect(taken).toHaveLength(5);
  });

  it("holds back what is ahead of the server's clock, and drops what is refused for good", async () => {
    const rejected = (code: string) =>
      `{"accepted":0,"duplicates":0,"rejected":[{"index":0,"code":"${code}","detail":"at: no"}]}`;
    const { url } = await startServer((attempt) => ({
      status: 200,
      body: rejected(attempt === 1 ? "clock_ahead" : "too_old"),
    }));
    expect(await once(url)).toMatchObject({ code: 1 });
    expect(waiting()).toHaveLength(1);
    rmSync(path.join(spool, "not-before"));
    const gone = await once(url);
    expect(gone).toMatchObject({ code: 0 });
    expect(gone.stderr).toContain("refused samples for good: at: no");
  });

  it("never lets the spool grow beyond its bound; the oldest go", async () => {
    mkdirSync(spool);
    for (const second of [1, 2, 3]) {
      writeFileSync(path.join(spool, `sample-100000000${second}`), Buffer.alloc(500 * 1024, "\n"));
    }
    const { code, stderr } = await once("http://127.0.0.1:1", ["--spool-mib", "1"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the oldest samples are given up");
    const left = waiting();
    expect(left.slice(0, -1).every((name) => /[23]$/.test(name))).toBe(true);
    expect(left.at(-1)).toMatch(/^sample-[12]\d{9}(\.gz)?$/);
    expect(left).not.toContain("sample-1000000001");
  });

  it("runs until it is stopped, one of its kind on a spool, and survives being killed", async () => {
    const { url, received } = await startServer(() => ({ status: 200 }));
    const args = ["--server", url, "--token-file", tokenFile, "--interval", "1s", "--push", "2s"];
    const start = () =>
      spawn(shell, [...before, SCRIPT, "--node", "n.1", "--spool", spool, ...args], {
        ...options,
        stdio: "pipe",
      });
    const untilReceived = async (count: number) => {
      for (let each = 0; each < 200 && received.length < count; each += 1) await delay(100);
      expect(received.length).toBeGreaterThanOrEqual(count);
    };
    const killed = start();
    await untilReceived(1);
    expect((await once(url)).stderr).toContain("collects into");
    const gone = new Promise((resolve) => killed.once("exit", resolve));
    killed.kill("SIGKILL");
    await gone;
    expect(existsSync(path.join(spool, "lock"))).toBe(true);

    const running = start();
    const exit = new Promise<number | null>((resolve) => running.once("exit", resolve));
    const sofar = received.length;
    await untilReceived(sofar + 3);
    running.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(readdirSync(spool)).toEqual([]);
    expect(received.slice(sofar).some(({ samples: together }) => together.length >= 2)).toBe(true);
    // Only the first sample of a run has what is read once a minute; the others say how that went.
    const samples = received.slice(sofar).flatMap((each) => each.samples);
    const later = readRawSample(samples[1] ?? { at: "", parts: [], messages: [] }, { node: "n", at: 1 });
    expect(later.fault).toBeUndefined();
    expect(later.snapshot?.slab).toBeUndefined();
    expect(later.snapshot?.sources?.slabinfo?.status).toBe(process.getuid?.() === 0 ? "ok" : "denied");
  });

  it.each([
    [["--bogus"], "unknown option: --bogus"],
    [["--once"], "--server is needed"],
    [["--once", "--server", "ftp://x"], "expected http or https"],
    [["--once", "--server", "http://u:p@x"], "without token or query"],
    [["--interval", "0"], "expected 1s to 60m"],
    [["--interval", "soon"], "expected a time"],
    [["--watch", "relative"], "expected an absolute path"],
    [["--spool-mib", "0"], "expected a number of MiB"],
    [["--node", "a b"], "expected letters"],
    [["--server"], "--server needs a value"],
  ])("ends with 64 on %j", (args, message) => {
    const { status, stderr } = spawnSync(shell, [...before, SCRIPT, ...args], options);
    expect(status).toBe(64);
    expect(stderr).toContain(message);
  });
});
