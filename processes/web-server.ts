import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { constants } from "node:zlib";
import compression from "compression";
import type { CollectorFile } from "#lib/server/http/collector-files.ts";
import { findUnrouted, type RoutedAddress } from "#lib/server/http/find-unrouted.ts";
import { PEER_HEADER, peerHeaderValue } from "#lib/server/http/peer.ts";
import { problemResponse, requestIdOf } from "#lib/server/http/problem.ts";
import { isRouterState } from "#lib/server/http/router-state.ts";
import { clearedCookie } from "#lib/server/http/session-cookie.ts";
import { sessionCookie } from "#lib/server/services/authenticate-session.ts";
import type { PersonActor } from "#lib/server/services/context.ts";
import { isForPage, normalisedTarget, refuseOnPages, type Refusal } from "./page-gate.ts";

export interface WebServerParts {
  /** Everything that has no own path here. */
  pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** By path, what collectors post: too frequent for the page framework. */
  ingest: Readonly<Record<string, (request: Request) => Promise<Response>>>;
  /** Files that nodes fetch before they have anything, by path; open to everybody. */
  files: readonly CollectorFile[];
  /** All that the API has; anything else below its path is answered here, with a problem. */
  apiRoutes: readonly RoutedAddress[];
  /** Who asks for a page; undefined for nobody who may. */
  personOf: (headers: Headers) => Promise<PersonActor | undefined>;
  /** What failed inside; the client is told nothing of it. */
  onError: (error: unknown, what: string) => void;
}

export interface WebServer {
  server: Server;
  /** Answers what has begun, refuses the rest; after `graceMs` open connections are cut. */
  drain(graceMs: number): Promise<void>;
}

/** Bounds on what one client can hold. Collectors push every 30 s or 60 s: their connections are kept in between. */
const limits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  connectionsCheckMs: 5_000,
  maxHeaderBytes: 16_384,
  maxConnections: 4_000,
};

/**
 * Compresses what pages and the API answer, for clients that ask for it. The levels are where time stops buying size: of a
 * composition of 116 kB, Brotli 4 makes 31 kB in 1.2 ms and gzip 4 makes 34 kB in 1.1 ms; gzip 6, what Next.js would
 * do by itself, makes 31 kB in 2.9 ms.
 */
const compress = compression({
  level: 4,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Headers of every answer, whoever makes it. */
const commonHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Of a shared link besides: its address is its key, which no other site, no index and no cache is told. */
const sharedHeaders: Record<string, string> = {
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "private, no-store",
};

/** Scripts run by nonce alone. Styles may stand inline: React and the charts write `style` attributes. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The server in front of Next.js: limits, headers, the gate of the pages, ingest, and an end that loses nothing. */
export function createWebServer(parts: WebServerParts): WebServer {
  let draining = false;
  const unanswered = new Set<ServerResponse>();
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.maxHeaderBytes,
    },
    (request, response) => {
      unanswered.add(response);
      response.once("close", () => unanswered.delete(response));
      if (draining) response.setHeader("connection", "close");
      answer(request, response, parts, () => draining).catch((error: unknown) => {
        parts.onError(error, `${request.method} ${request.url?.split("?")[0]}`);
        if (response.headersSent) response.destroy();
        else sendText(response, 500, "text/plain", "Internal error.\n");
      });
    },
  );
  server.maxConnections = limits.maxConnections;
  return {
    server,
    async drain(graceMs) {
      draining = true;
      for (const each of unanswered) if (!each.headersSent) each.setHeader("connection", "close");
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const idle = setInterval(() => server.closeIdleConnections(), 100);
      const hard = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(hard);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: WebServerParts,
  isDraining: () => boolean,
): Promise<void> {
  for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
  const target = normalisedTarget(request.url);
  if (target === undefined) {
    sendText(response, 400, "text/plain", "Bad request target.\n");
    return;
  }
  const { path, search } = target;
  if (path.startsWith("/s/")) {
    for (const [name, value] of Object.entries(sharedHeaders)) response.setHeader(name, value);
  }
  const method = request.method ?? "GET";
  // No `Request` may carry it: the page framework would fail on it.
  if (method === "TRACE") {
    sendText(response, 405, "text/plain", "Method not allowed.\n");
    return;
  }
  // Made from the socket before anything adds forwarding headers; replaces whatever a caller sent.
  request.headers[PEER_HEADER] = peerHeaderValue({
    remoteAddress: request.socket.remoteAddress,
    headers: request.headers,
  });
  if (path === "/livez" && (method === "GET" || method === "HEAD")) {
    sendText(response, 200, "application/json", '{"status":"live"}');
    return;
  }
  // Browsers ask for it where a page is still on its way, or is none; they take the icon of the pages.
  if (path === "/favicon.ico" && (method === "GET" || method === "HEAD")) {
    response.writeHead(302, { location: "/icon.svg" }).end();
    return;
  }
  if (isDraining() && path === "/readyz") {
    sendText(response, 503, "text/plain", "stopping\n");
    return;
  }
  const ingest = method === "POST" && Object.hasOwn(parts.ingest, path) ? parts.ingest[path] : undefined;
  if (ingest !== undefined) {
    await answerDirectly(request, response, ingest);
    return;
  }
  const file = parts.files.find((each) => each.path === path);
  if (file !== undefined && (method === "GET" || method === "HEAD")) {
    sendFile(response, file, method);
    return;
  }
  const asked = { method, path, headers: headersOf(request) };
  if (isForPage(asked)) {
    const refusal = refuseOnPages({ ...asked, search }, await parts.personOf(asked.headers));
    if (refusal !== undefined && "signInAt" in refusal) {
      response.setHeader("cache-control", "no-store");
      // Of a session that has ended: without it whoever needs none goes on.
      if (sessionCookie(asked.headers.get("cookie")) !== undefined)
        response.setHeader("set-cookie", clearedCookie(asked));
      response.writeHead(303, { location: refusal.signInAt }).end();
      return;
    }
    if (refusal !== undefined) {
      sendRefusal(response, refusal);
      return;
    }
  }
  const unrouted = findUnrouted({ method, path }, parts.apiRoutes);
  if (unrouted !== undefined) {
    const problem = problemResponse(unrouted.error, requestIdOf({ headers: headersOf(request) }));
    problem.headers.forEach((value, name) => response.setHeader(name, value));
    if (unrouted.allow.length > 0) response.setHeader("allow", unrouted.allow.join(", "));
    response.writeHead(problem.status).end(await problem.text());
    return;
  }
  if (!isRouterState(request.headers["next-router-state-tree"])) {
    sendText(response, 400, "text/plain", "Bad next-router-state-tree.\n");
    return;
  }
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  // Next.js takes the nonce for its own scripts from the request.
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
  request.url = `${path}${search}`;
  await new Promise<void>((done, failed) => {
    compress(request, response, () => void parts.pages(request, response).then(done, failed));
  });
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (Array.isArray(value)) for (const each of value) headers.append(name, each);
    else if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** Serves one request by a function of the web's own kind, without the page framework. */
async function answerDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  route: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const answered = await route(
    new Request(`http://${hostOf(request)}${request.url}`, {
      method: "POST",
      headers: headersOf(request),
      body: Readable.toWeb(request) as ReadableStream<Uint8Array>,
      duplex: "half",
      signal: gone.signal,
    } as RequestInit),
  );
  const body = Buffer.from(await answered.arrayBuffer());
  answered.headers.forEach((value, name) => response.setHeader(name, value));
  response.setHeader("content-length", body.length);
  if (request.complete || request.destroyed) {
    response.writeHead(answered.status).end(body);
    return;
  }
  // A body that was refused half-way is not read to its end for the sake of the connection.
  response.setHeader("connection", "close");
  response.writeHead(answered.status).write(body);
  await linger(request);
  response.end();
}

/** How long, and how much, a client may go on sending after it was answered. */
const LINGER = { ms: 3_000, bytes: 64 * 1024 * 1024 } as const;

/**
 * Takes in and drops what a client still sends. Closing at once would reset the connection while it writes, and most
 * clients then report the broken pipe instead of the answer that says why (RFC 9112, section 9.6).
 */
async function linger(request: IncomingMessage): Promise<void> {
  let left: number = LINGER.bytes;
  await new Promise<void>((done) => {
    const timer = setTimeout(done, LINGER.ms);
    const enough = () => {
      clearTimeout(timer);
      done();
    };
    for (const event of ["end", "close", "error"]) request.once(event, enough);
    // What reads the body for the route keeps what it gets.
    request.removeAllListeners("data");
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) enough();
    });
    request.resume();
  });
}

function hostOf(request: IncomingMessage): string {
  const host = request.headers.host ?? "";
  return URL.canParse(`http://${host}`) ? host : "localhost";
}

function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.setHeader("cache-control", "no-store");
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
}

function sendFile(
  response: ServerResponse,
  { contentType, body, sha256 }: CollectorFile,
  method: string,
): void {
  response.setHeader("cache-control", "no-cache");
  response.setHeader("etag", `"${sha256}"`);
  response.setHeader("content-length", body.length);
  response.writeHead(200, { "content-type": `${contentType}; charset=utf-8` });
  response.end(method === "HEAD" ? undefined : body);
}

function sendRefusal(response: ServerResponse, { status, title, text }: Refusal): void {
  response.setHeader(
    "content-security-policy",
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  );
  sendText(
    response,
    status,
    "text/html",
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><body style="font:16px/1.5 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem"><h1 style="font-size:1.25rem">${title}</h1><p>${text}</p></body></html>\n`,
  );
}
