import { gzipSync } from "node:zlib";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";

/** Makes a token as a person at the server would: over the API, from this machine. */
export async function makeToken(url: string, cluster = "athena"): Promise<string> {
  const response = await fetch(`${url}/api/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "stories", cluster, scopes: ["snapshots:write", "read"] }),
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
