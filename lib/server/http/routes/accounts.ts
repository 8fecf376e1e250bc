import { z } from "zod";
import {
  acceptInvitation as acceptInvitationBody,
  invitationList,
  madeInvitation,
  makeInvitation as makeInvitationBody,
} from "#lib/contracts/invitation.ts";
import { auditList, auditQuery } from "#lib/contracts/audit.ts";
import { rowId } from "#lib/contracts/common.ts";
import {
  changePassword as changePasswordBody,
  changePerson as changePersonBody,
  personId,
  personList,
  sessionList,
  signedIn,
  signIn as signInBody,
} from "#lib/contracts/person.ts";
import { acceptInvitation } from "#lib/server/services/accept-invitation.ts";
import { sessionCookie } from "#lib/server/services/authenticate-session.ts";
import { changePassword } from "#lib/server/services/change-password.ts";
import { changePerson } from "#lib/server/services/change-person.ts";
import { endSessions } from "#lib/server/services/end-sessions.ts";
import { listAudit } from "#lib/server/services/list-audit.ts";
import { listInvitations } from "#lib/server/services/list-invitations.ts";
import { listPeople } from "#lib/server/services/list-people.ts";
import { listSessions } from "#lib/server/services/list-sessions.ts";
import { makeInvitation } from "#lib/server/services/make-invitation.ts";
import { revokeInvitation } from "#lib/server/services/revoke-invitation.ts";
import { signIn, type SignedIn } from "#lib/server/services/sign-in.ts";
import { defineRoute, Reply } from "../define-route.ts";
import { clearedCookie, limitSignIns, placeOf, requireAccounts, sentCookie } from "../session-cookie.ts";

function welcome(request: Request, { person: { name, role }, setCookie }: SignedIn) {
  return new Reply({ name, role }, 200, { "set-cookie": sentCookie(request, setCookie) });
}

export const signInRoute = defineRoute({
  method: "POST",
  path: "/api/v1/session",
  access: "public",
  summary: "Sign in; the answer sets the cookie of a session",
  description: "20 attempts from an address and 10 as one person at once, then one every 5 s and 30 s.",
  body: signInBody,
  response: signedIn,
  handler: async ({ ctx, runtime, body, request }) => {
    limitSignIns(runtime, request, body.email);
    const input = { ...body, place: placeOf(request) };
    return welcome(request, await signIn({ ctx, accounts: requireAccounts(runtime), input }));
  },
});

export const signOutRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/session",
  access: { role: "viewer" },
  summary: "Sign out here",
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, request }) => {
    await endSessions({ ctx, input: { which: "this" } });
    return new Reply(null, 204, { "set-cookie": clearedCookie(request) });
  },
});

export const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/sessions",
  access: { role: "viewer" },
  summary: "Where you are signed in, newest first",
  response: sessionList,
  handler: async ({ ctx }) => listSessions({ ctx }),
});

export const signOutEverywhereRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/sessions",
  access: { role: "viewer" },
  summary: "Sign out everywhere, here too",
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, request }) => {
    await endSessions({ ctx, input: { which: "all" } });
    return new Reply(null, 204, { "set-cookie": clearedCookie(request) });
  },
});

export const endSessionRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/sessions/{sessionId}",
  access: { role: "viewer" },
  summary: "Sign out in one browser",
  params: z.strictObject({ sessionId: z.string().regex(/^[A-Za-z0-9]{8,64}$/) }),
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params }) => {
    await endSessions({ ctx, input: { which: params } });
    return new Reply(null, 204);
  },
});

export const changePasswordRoute = defineRoute({
  method: "POST",
  path: "/api/v1/password",
  access: { role: "viewer" },
  summary: "Change your password; signs you out everywhere else",
  body: changePasswordBody,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, runtime, body, request }) => {
    const who = ctx.actor.kind === "person" ? ctx.actor.personId : "";
    limitSignIns(runtime, request, who);
    const cookie = sessionCookie(request.headers.get("cookie")) ?? "";
    const input = { ...body, cookie, place: placeOf(request) };
    const setCookie = await changePassword({ ctx, accounts: requireAccounts(runtime), input });
    return new Reply(null, 204, { "set-cookie": sentCookie(request, setCookie) });
  },
});

export const listPeopleRoute = defineRoute({
  method: "GET",
  path: "/api/v1/people",
  access: { role: "administrator" },
  summary: "Everybody with an account",
  response: personList,
  handler: async ({ ctx }) => listPeople({ ctx }),
});

export const changePersonRoute = defineRoute({
  method: "PATCH",
  path: "/api/v1/people/{personId}",
  access: { role: "administrator" },
  summary: "Change somebody's role, or let them in no more",
  description: "Who is disabled is signed out everywhere. The last administrator stays one: 409.",
  params: z.strictObject({ personId }),
  body: changePersonBody,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: { personId: id }, body }) => {
    await changePerson({ ctx, input: { personId: id, changes: body } });
    return new Reply(null, 204);
  },
});

export const listInvitationsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/invitations",
  access: { role: "administrator" },
  summary: "Invitations that may still be accepted, newest first",
  response: invitationList,
  handler: async ({ ctx }) => listInvitations({ ctx }),
});

export const makeInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/invitations",
  access: { role: "administrator" },
  summary: "Make a one-time address; it is in this answer and nowhere else",
  description: "For a new account with a role, or for another password of somebody. Good for three days.",
  body: makeInvitationBody,
  response: madeInvitation,
  successStatus: 201,
  queryNamesThings: true,
  handler: async ({ ctx, body }) => new Reply(await makeInvitation({ ctx, input: body }), 201),
});

export const revokeInvitationRoute = defineRoute({
  method: "DELETE",
  path: "/api/v1/invitations/{invitationId}",
  access: { role: "administrator" },
  summary: "Take an invitation back",
  params: z.strictObject({ invitationId: rowId }),
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params }) => {
    await revokeInvitation({ ctx, input: params });
    return new Reply(null, 204);
  },
});

export const acceptInvitationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/invitations/accept",
  access: "public",
  summary: "Use a one-time address: make the account, or set the password, and sign in",
  body: acceptInvitationBody,
  response: signedIn,
  queryNamesThings: true,
  mayConflict: true,
  handler: async ({ ctx, runtime, body, request }) => {
    limitSignIns(runtime, request);
    const input = { ...body, place: placeOf(request) };
    return welcome(request, await acceptInvitation({ ctx, accounts: requireAccounts(runtime), input }));
  },
});

export const listAuditRoute = defineRoute({
  method: "GET",
  path: "/api/v1/audit",
  access: { role: "administrator" },
  summary: "Who wrote what, newest first",
  query: auditQuery,
  response: auditList,
  handler: async ({ ctx, query }) => listAudit({ ctx, input: query }),
});
