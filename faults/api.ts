import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { nodeList, nodeSummary, type NodeSummary } from "#lib/contracts/node.ts";

/** An answer as it came over the wire. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A request with every header as given, which `fetch` would not allow. Rejects when the connection breaks. */
export function call(
  server: string,
  path: string,
  options: {
    method?: string;
    token?: string | undefined;
    headers?: Record<string, string>;
    body?: Buffer | string;
    timeoutMs?: number;
  } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname,
        port,
        path,
        method: options.method ?? "GET",
        agent: false,
        headers: {
          ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
          ...(options.body !== undefined && { "content-length": String(Buffer.byteLength(options.body)) }),
          ...options.headers,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString("utf8"),
          }),
        );
      },
    );
    request.setTimeout(options.timeoutMs ?? 30_000, () => request.destroy(new Error(`no answer: ${path}`)));
    request.on("error", reject);
    request.end(options.body);
  });
}

/** The JSON of an answer that must be 200. */
export async function readJson(server: string, token: string, path: string): Promise<unknown> {
  const { status, text } = await call(server, path, { token });
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Sends one JSON body with a token. */
export function send(
  server: string,
  token: string | undefined,
  path: string,
  body: unknown,
  method = "POST",
): Promise<Answer> {
  return call(server, path, {
    method,
    token,
    headers: { "content-type": "application/json" },
    body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
}

/** A node of the fleet by its exact name, as `GET /api/v1/nodes/{nodeId}` tells of it. */
export async function findNode(
  server: string,
  token: string,
  name: string,
): Promise<NodeSummary | undefined> {
  const path = `/api/v1/nodes?name=${encodeURIComponent(name)}&pageSize=2000`;
  const { nodes } = nodeList.parse(await readJson(server, token, path));
  const found = nodes.find((node) => node.name === name);
  return found && nodeSummary.parse(await readJson(server, token, `/api/v1/nodes/${found.nodeId}`));
}

/** Waits until `look` finds something; undefined after `withinMs`. Errors meanwhile count as nothing found. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false>,
  withinMs: number,
): Promise<T | undefined> {
  for (const until = Date.now() + withinMs; ;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) return undefined;
    await delay(250);
  }
}
