import { problem } from "#lib/contracts/common.ts";
import type { Role } from "#lib/contracts/role.ts";
import type { Route } from "#lib/server/http/define-route.ts";
import { PEER_HEADER, peerHeaderValue } from "#lib/server/http/peer.ts";
import { openAccounts } from "#lib/server/data/accounts.ts";
import { makeRuntime, setRuntime, type Runtime } from "#lib/server/http/runtime.ts";
import { acceptInvitationRoute } from "#lib/server/http/routes/accounts.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { Context } from "#lib/server/services/context.ts";
import { makeInvitation } from "#lib/server/services/make-invitation.ts";
import type { z } from "zod";

/** Gives the routes a database and a clock; every answer is compared with its schema. Undo with `setRuntime(undefined)`. */
export function useRuntime(db: Database, now: () => number, changes: Partial<Runtime> = {}): Runtime {
  const runtime = {
    ...makeRuntime({
      db,
      now,
      accounts: openAccounts(db, "the secret of the tests"),
      trustLoopback: true,
      anonymousViewer: false,
      silentAfterMs: 300_000,
      checkAnswers: "every",
    }),
    ...changes,
  };
  setRuntime(runtime);
  return runtime;
}

/** Who calls: the person at the machine, one who is signed in, a token, or nobody in particular; and from which address. */
export interface Caller {
  local?: boolean;
  /** As `signedInCookie` makes it. */
  cookie?: string;
  token?: string;
  address?: string;
}

export interface RouteCall {
  as?: Caller;
  params?: Record<string, string | number>;
  query?: Record<string, string | number | readonly string[]>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: BodyInit;
  headers?: Record<string, string>;
}

/** Sends a request as the web entry would hand it over. */
export async function callRoute(route: Route, call: RouteCall = {}): Promise<Response> {
  const path = route.facts.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name] ?? name)),
  );
  const url = new URL(path, "http://localhost:4400");
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each));
  }
  const headers = new Headers(call.headers);
  const remoteAddress = call.as?.local === true ? "127.0.0.1" : (call.as?.address ?? "10.1.2.3");
  headers.set("host", "localhost:4400");
  headers.set(PEER_HEADER, peerHeaderValue({ remoteAddress, headers: { host: "localhost:4400" } }));
  if (call.as?.cookie !== undefined) headers.set("cookie", call.as.cookie);
  if (call.as?.token !== undefined) headers.set("authorization", `Bearer ${call.as.token}`);
  if (call.json !== undefined && !headers.has("content-type"))
    headers.set("content-type", "application/json");
  const body = call.json === undefined ? call.body : JSON.stringify(call.json);
  const request = new Request(url, {
    method: route.facts.method,
    headers,
    ...(body !== undefined && { body }),
  });
  const params = Object.fromEntries(
    Object.entries(call.params ?? {}).map(([name, value]) => [name, String(value)]),
  );
  return route(request, { params: Promise.resolve(params) });
}

/** The cookie of a session in an answer, as a browser would send it back. @throws Error when the answer sets none. */
export function cookieIn(response: Response): string {
  const [set] = response.headers.getSetCookie();
  if (set === undefined) throw new Error(`${response.status}, and no cookie`);
  return set.split(";")[0] ?? "";
}

/** Makes an account with a role, as somebody who was invited does. @returns the cookie of its first session. */
export async function signedInCookie(db: Database, role: Role, name = `The ${role}`): Promise<string> {
  const ctx: Context = { db, actor: { kind: "system", name: "test" }, now: () => Date.now() };
  const { path } = await makeInvitation({ ctx, input: { role } });
  const code = path.replace("/invitation/", "");
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@plumbline.example`;
  return cookieIn(
    await callRoute(acceptInvitationRoute, { json: { code, name, email, password: TEST_PASSWORD } }),
  );
}

/** Password of every account that `signedInCookie` makes. */
export const TEST_PASSWORD = "correct horse battery staple";

/** The body of a good answer, by its schema. @throws Error with the problem when it was refused. */
export async function answerOf<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return schema.parse(JSON.parse(text));
}

/** The problem of a refused request. @throws ZodError when the answer is no problem. */
export async function problemOf(response: Response): Promise<z.output<typeof problem>> {
  return problem.parse(await response.json());
}
