import { isAtLeast } from "#lib/contracts/role.ts";
import { pageAccess } from "#lib/server/http/page-access.ts";
import { isSameOrigin } from "#lib/server/http/peer.ts";
import { roleOf, type PersonActor } from "#lib/server/services/context.ts";

/** Why a request for a page is refused, as HTML for the person who made it. */
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

/** Whether a request is for a page, so that this gate decides; everything else says itself who may ask. */
export function isForPage({ method, path, headers }: PageRequest): boolean {
  return !ownRule.some((each) => each.test(path)) || isActionCall(method, headers);
}

/** What the gate judges. `headers` carry the peer header of `lib/server/http/peer.ts`. */
export interface PageRequest {
  method: string;
  path: string;
  headers: Headers;
}

/**
 * Pages answer a person of the role that they need (`lib/server/http/page-access.ts`). What changes something must come from a
 * page of this server. `person` is who asks; who is nobody is led to the page that signs in. Undefined means: let it pass.
 */
export function refuseOnPages(
  { method, path, search, headers }: PageRequest & { search: string },
  person: PersonActor | undefined,
): Refusal | { signInAt: string } | undefined {
  const reads = method === "GET" || method === "HEAD";
  if (!reads && !isSameOrigin(headers)) {
    return { status: 403, title: "Refused", text: "A page of another site tried to change something here." };
  }
  const least = pageAccess(path);
  if (least !== "public" && person === undefined) {
    const next = path === "/" && search === "" ? "" : `?next=${encodeURIComponent(path + search)}`;
    return reads
      ? { signInAt: `/sign-in${next}` }
      : { status: 403, title: "Not signed in", text: "Sign in at /sign-in, and try again." };
  }
  if (least !== "public" && person !== undefined && !isAtLeast(roleOf(person), least)) {
    return {
      status: 403,
      title: "Not for your role",
      text: `This page is for ${least}s; you are here as ${roleOf(person)}. An administrator can change that. The <a href="/">fleet</a> is open to you.`,
    };
  }
  return undefined;
}
