import "server-only";
import { headers } from "next/headers";
import { getRuntime } from "#lib/server/http/runtime.ts";
import { serverAddress } from "#lib/server/http/peer.ts";
import type { AuditList } from "#lib/contracts/audit.ts";
import type { Invitation } from "#lib/contracts/invitation.ts";
import type { Person, Session } from "#lib/contracts/person.ts";
import type { Role } from "#lib/contracts/role.ts";
import { authenticatePerson } from "#lib/server/http/authenticate-person.ts";
import { hasAdministrator } from "#lib/server/services/has-administrator.ts";
import { listAudit } from "#lib/server/services/list-audit.ts";
import { getInvitation, listInvitations } from "#lib/server/services/list-invitations.ts";
import { listPeople } from "#lib/server/services/list-people.ts";
import { listSessions } from "#lib/server/services/list-sessions.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, pageNumberOf, type PageParameters } from "./page-parameters.ts";

/** What the page that signs in begins with. */
export interface SignInPage {
  /** Where to go on: a path of this server. */
  readonly next: string;
  /** Who is here already, with an account. */
  readonly name: string | undefined;
  /** Who is let in without one. */
  readonly without: "at the machine" | "to read" | undefined;
  /** Why nobody can sign in here. */
  readonly closed: "no secret" | "no administrator" | undefined;
}

/** Reads who is here, and whether anybody could sign in. */
export async function loadSignIn(parameters: PageParameters): Promise<SignInPage> {
  const sent = await headers();
  const runtime = getRuntime();
  const actor = await authenticatePerson(sent, runtime);
  const closed =
    runtime.accounts === undefined
      ? "no secret"
      : (await hasAdministrator(runtime.db, runtime.now()))
        ? undefined
        : "no administrator";
  return {
    next: ownPath(firstOf(parameters)("next")),
    name: actor?.kind === "person" ? actor.name : undefined,
    without: actor?.kind === "local" ? "at the machine" : actor?.kind === "anonymous" ? "to read" : undefined,
    closed,
  };
}

/** A path of this server; "/" for anything else, so that an address cannot lead whoever signs in elsewhere. */
function ownPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith("/") || !URL.canParse(text, "http://here")) return "/";
  const { host, pathname, search } = new URL(text, "http://here");
  return host === "here" && !pathname.startsWith("//") ? pathname + search : "/";
}

/** The invitation of a one-time address; undefined when it is not open (any more). */
export async function loadInvitation(code: string): Promise<Invitation | undefined> {
  await headers();
  const { db, now } = getRuntime();
  return getInvitation({ ctx: { db, actor: { kind: "anonymous" }, now }, input: { code } });
}

/** Somebody's own account; undefined for who is here without one. */
export interface AccountPage {
  readonly name: string;
  readonly role: Role;
  readonly sessions: readonly Session[];
  readonly nowMs: number;
}

/** Reads where somebody is signed in. */
export async function loadAccount(): Promise<AccountPage | undefined> {
  const { ctx } = await pageContext();
  if (ctx.actor.kind !== "person") return undefined;
  const { sessions } = await listSessions({ ctx });
  const { name, role } = ctx.actor;
  return { name, role, sessions, nowMs: ctx.now() };
}

/** Everybody with an account, and who may get one. */
export interface PeoplePage {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
  /** This server as the reader reached it. */
  readonly server: string;
  readonly nowMs: number;
}

/** Reads accounts and open invitations. */
export async function loadPeople(): Promise<PeoplePage> {
  const { ctx } = await pageContext("administrator");
  const sent = await headers();
  const [{ people }, { invitations }] = await Promise.all([listPeople({ ctx }), listInvitations({ ctx })]);
  return { people, invitations, server: serverAddress(sent), nowMs: ctx.now() };
}

const PAGE_SIZE = 50;

/** One part of the audit trail, and what it is narrowed to. */
export interface AuditPage {
  readonly list: AuditList;
  readonly filter: { readonly actor: string; readonly action: string; readonly page: number };
  readonly pageSize: number;
}

/** Reads one part of the audit trail. */
export async function loadAudit(parameters: PageParameters): Promise<AuditPage> {
  const { ctx } = await pageContext("administrator");
  const first = firstOf(parameters);
  const filter = {
    actor: wordOf(first("actor")),
    action: wordOf(first("action")),
    page: pageNumberOf(parameters),
  };
  const input = {
    ...(filter.actor !== "" && { actor: filter.actor }),
    ...(filter.action !== "" && { action: filter.action }),
    limit: PAGE_SIZE,
    offset: (filter.page - 1) * PAGE_SIZE,
  };
  return { list: await listAudit({ ctx, input }), filter, pageSize: PAGE_SIZE };
}

const wordOf = (text: string | undefined): string => (text ?? "").replaceAll("\u0000", "").slice(0, 200);
