import { isLocalPerson, isSameOrigin } from "#lib/server/http/peer.ts";

/** Why a request for a page is refused, in words for the person who made it. */
export interface Refusal {
  status: 400 | 403;
  title: string;
  text: string;
}

/** Addresses that say themselves who may ask (defineRoute), or that hold nothing private. */
const ownRule = [
  /^\/api\//,
  /^\/(livez|readyz|metrics)$/,
  /^\/_next\/static\//,
  /^\/(icon\.svg|favicon\.ico|robots\.txt)$/,
];

/**
 * Path and query of a request in the one form that both this gate and Next.js judge; undefined for anything else than
 * an ordinary path. Dot segments and backslashes are resolved here, so that `/api/../page` is the page.
 */
export function normalisedTarget(url: string | undefined): { path: string; search: string } | undefined {
  if (url === undefined || !url.startsWith("/") || !URL.canParse(`http://host${url}`)) return undefined;
  const { host, pathname, search } = new URL(`http://host${url}`);
  return host === "host" && isDecodable(pathname) ? { path: pathname, search } : undefined;
}

/** Whether every % of a path begins the code of a character; what does not would only be found out further inside. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Next.js runs a server action wherever a page is rendered, "not found" included: such a request is for a page. */
function isActionCall(method: string, headers: Headers): boolean {
  return (
    headers.has("next-action") ||
    (method === "POST" && (headers.get("content-type") ?? "").toLowerCase().startsWith("multipart/"))
  );
}

/**
 * Pages answer only a local person: one at this machine (by loopback address, loopback name and no proxy between), or
 * one who holds the cookie of the one-time address. What changes something must come from a page of this server.
 * `headers` carry the peer header of `lib/server/http/peer.ts`. Undefined means: let it pass.
 */
export function refuseOnPages(
  { method, path, headers }: { method: string; path: string; headers: Headers },
  localSecret: string | undefined,
): Refusal | undefined {
  if (ownRule.some((each) => each.test(path)) && !isActionCall(method, headers)) return undefined;
  if (!isLocalPerson(headers, localSecret)) {
    return {
      status: 403,
      title: "Not open from here",
      text: "Plumbline's pages answer on its own machine (http://localhost and the port), or in a browser that has opened the one-time address which the server printed when it started. Start it anew for a fresh one.",
    };
  }
  if (method !== "GET" && method !== "HEAD" && !isSameOrigin(headers)) {
    return { status: 403, title: "Refused", text: "A page of another site tried to change something here." };
  }
  return undefined;
}
