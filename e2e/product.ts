import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";

const START_MS = 60_000;

/** A Plumbline of its own: server, database, worker and the local collector, on a folder and a port of their own. */
export interface Product {
  readonly url: string;
  readonly dataDir: string;
  stop: () => Promise<void>;
}

/** Starts the built product as an operator would, and waits until it says that it is ready. */
export async function startProduct(
  root: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataDir = await mkdtemp("/tmp/plumbline-e2e-");
  const child = spawn(process.execPath, [join(root, "dist/up.mjs")], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      PLUMBLINE_DATA_DIR: dataDir,
      PLUMBLINE_PORT: "0",
      DATABASE_URL: "",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async () => {
    await ended(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { url: await readyAddress(child), dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let output = "";
    const timer = setTimeout(() => fail(new Error(`Plumbline was not ready in time:\n${output}`)), START_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /ready at (http:\S+)/.exec(output)?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      done(ready.replace("127.0.0.1", "localhost"));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(new Error(`Plumbline ended with ${code ?? "a signal"}:\n${output}`));
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.once("exit", () => done());
    child.kill("SIGTERM");
  });
}

/** Makes a token as a person at the server would: over the API, from this machine. */
export async function makeToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "stories", cluster: "athena", scopes: ["snapshots:write", "read"] }),
  });
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
  const { secret } = (await response.json()) as { secret: string };
  return secret;
}

/** Delivers snapshots as a collector does: compressed batches with a token. @throws Error when one is rejected. */
export async function deliver(
  url: string,
  token: string,
  snapshots: readonly SnapshotInput[],
): Promise<void> {
  for (let start = 0; start < snapshots.length; start += 500) {
    const lines = snapshots.slice(start, start + 500).map((each) => JSON.stringify(each));
    const response = await fetch(`${url}/api/v1/snapshots`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-ndjson",
        "content-encoding": "gzip",
      },
      body: gzipSync(lines.join("\n")),
    });
    const receipt = (await response.json()) as { rejected?: unknown[] };
    if (!response.ok || (receipt.rejected?.length ?? 0) > 0)
      throw new Error(`Not taken in: ${response.status} ${JSON.stringify(receipt).slice(0, 500)}`);
  }
}

/** Id that the server gave a node, asked as the person at this machine. */
export async function nodeIdOf(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/nodes?name=${encodeURIComponent(name)}`);
  const { nodes } = (await response.json()) as { nodes: { nodeId: number; name: string }[] };
  const found = nodes.find((node) => node.name === name);
  if (!found) throw new Error(`The server does not know ${name}.`);
  return found.nodeId;
}
