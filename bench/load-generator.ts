import http from "node:http";
import { gzipSync } from "node:zlib";

/** One prepared request body and how many snapshots it carries. */
export interface Body {
  bytes: Buffer;
  snapshots: number;
}

/** What a run of the load generator measured. */
export interface LoadResult {
  snapshots: number;
  requests: number;
  elapsedMs: number;
  /** Milliseconds of each request, in order of completion. */
  latenciesMs: number[];
}

/** Packs snapshots as a collector sends them: gzip NDJSON. */
export function packBody(snapshots: readonly object[]): Body {
  const lines = snapshots.map((each) => JSON.stringify(each)).join("\n");
  return { bytes: gzipSync(lines, { level: 6 }), snapshots: snapshots.length };
}

function push(agent: http.Agent, url: URL, token: string, body: Body): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/x-ndjson",
          "content-encoding": "gzip",
          "content-length": body.bytes.length,
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          const accepted =
            response.statusCode === 200 ? (JSON.parse(text) as { accepted: number }).accepted : -1;
          if (accepted === body.snapshots) resolve();
          else
            reject(
              new Error(
                `expected ${body.snapshots} accepted, got ${response.statusCode}: ${text.slice(0, 500)}`,
              ),
            );
        });
      },
    );
    request.on("error", reject);
    request.end(body.bytes);
  });
}

/**
 * Sends every body once over `connections` kept-alive connections, each waiting for its answer before the next. An
 * answer that does not accept all its snapshots fails the run: what is counted was durable. The connections take turns
 * in using the tokens, for which the server has a rate limit each.
 */
export async function sendAll(
  server: string,
  tokens: readonly string[],
  bodies: readonly Body[],
  connections: number,
): Promise<LoadResult> {
  const url = new URL("/api/v1/snapshots", server);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  let next = 0;
  const since = performance.now();
  const workers = Array.from({ length: connections }, async (_, connection) => {
    const token = tokens[connection % tokens.length] ?? "";
    for (;;) {
      const body = bodies[next];
      if (!body) return;
      next += 1;
      const sent = performance.now();
      await push(agent, url, token, body);
      latenciesMs.push(performance.now() - sent);
    }
  });
  await Promise.all(workers);
  const elapsedMs = performance.now() - since;
  agent.destroy();
  return {
    snapshots: bodies.reduce((sum, body) => sum + body.snapshots, 0),
    requests: bodies.length,
    elapsedMs,
    latenciesMs,
  };
}
