import { request as requestHttp } from "node:http";
import { gzipSync } from "node:zlib";
import { readBody } from "./read-body.ts";

/** What came back, whatever it was. */
export interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Posts snapshots as gzipped NDJSON. Resolves with any answer of the server; rejects when there was none: no connection,
 * no complete answer within `timeoutMs`, or `signal`.
 */
export async function postBatch(options: {
  url: URL;
  token: string | undefined;
  lines: readonly string[];
  timeoutMs: number;
  userAgent: string;
  signal?: AbortSignal;
}): Promise<Answer> {
  // At most a quarter of a MiB, a few milliseconds: cheaper than the pool of threads that compressing aside would start.
  const body = gzipSync(options.lines.map((line) => `${line}\n`).join(""));
  // TLS costs memory; it is loaded only by those who use it.
  const request = options.url.protocol === "https:" ? (await import("node:https")).request : requestHttp;
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const outgoing = request(
      options.url,
      {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/x-ndjson",
          "content-encoding": "gzip",
          "content-length": body.length,
          accept: "application/json, application/problem+json",
          "user-agent": options.userAgent,
          connection: "close",
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        },
        signal: options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]),
      },
      (response) => {
        readBody(outgoing, response, MOST_ANSWER_BYTES).then((body) => {
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers["retry-after"],
            body,
          });
        }, fail);
      },
    );
    function fail(error: Error): void {
      reject(limit.aborted ? new Error(`no answer within ${options.timeoutMs / 1000} s`) : error);
    }
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}
