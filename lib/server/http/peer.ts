import { randomBytes, timingSafeEqual } from "node:crypto";
import { isIPv4 } from "node:net";

/** Set by the web entry on every request, over whatever the caller sent. */
export const PEER_HEADER = "x-plumbline-peer";

/** Who is at the other end of the connection. */
export interface Peer {
  /** Address of the socket, or "unknown". */
  address: string;
  /** A person at this machine: loopback, not through a proxy, and under a loopback name. */
  local: boolean;
}

const processMark = Symbol.for("plumbline.peer-mark");

/**
 * Known to this process alone. The entry and the routes share it through globalThis (they are bundled apart), so a
 * header that a caller invents is worth nothing, also when the routes run without the entry.
 */
function peerMark(): string {
  const holder = globalThis as typeof globalThis & { [processMark]?: string };
  return (holder[processMark] ??= randomBytes(18).toString("base64url"));
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}

/** A page of another site can point its own name at 127.0.0.1, but it cannot make the browser send `localhost`. */
function isLoopbackHost(host: string | undefined): boolean {
  const name = (host ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || isLoopbackAddress(name);
}

const proxyHeaders = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/**
 * What the web entry writes into `PEER_HEADER` for one request. It must be made from the socket and the headers as they
 * arrived, before Next.js adds forwarding headers of its own.
 */
export function peerHeaderValue({
  remoteAddress,
  headers,
}: {
  remoteAddress: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}): string {
  const local =
    remoteAddress !== undefined &&
    isLoopbackAddress(remoteAddress) &&
    proxyHeaders.every((name) => headers[name] === undefined) &&
    isLoopbackHost(typeof headers.host === "string" ? headers.host : undefined);
  return `${peerMark()} ${local ? "local" : "remote"} ${remoteAddress ?? "unknown"}`;
}

/** Reads what `peerHeaderValue` wrote; anything else is a remote stranger. */
export function readPeer(headers: Headers): Peer {
  const [mark, place, address] = (headers.get(PEER_HEADER) ?? "").split(" ");
  if (mark === undefined || address === undefined || !equalText(mark, peerMark())) {
    return { address: "unknown", local: false };
  }
  return { address, local: place === "local" };
}

/** Whether the browser speaks TLS with whoever stands in front of this server, so that a cookie may be for TLS alone. */
export function isBehindTls(headers: Headers): boolean {
  return headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase() === "https";
}

/** This server as a browser reached it. */
export function serverAddress(sent: Headers): string {
  return `${isBehindTls(sent) ? "https" : "http"}://${sent.get("host") ?? "localhost"}`;
}

/**
 * Whether a write comes from a page of this server (or from no page at all, such as curl). Cookies and the loopback
 * address are sent along by a browser whichever site asks, so they prove nothing for a write without this.
 */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  if (origin === null) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

function equalText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
