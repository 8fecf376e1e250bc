import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditList } from "#lib/contracts/audit.ts";
import { invitationList, madeInvitation, type MakeInvitation } from "#lib/contracts/invitation.ts";
import { personList, sessionList } from "#lib/contracts/person.ts";
import { listAudit as readAudit } from "#lib/server/data/audit.ts";
import { authenticatePerson } from "#lib/server/http/authenticate-person.ts";
import { PEER_HEADER, peerHeaderValue } from "#lib/server/http/peer.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import {
  answerOf,
  callRoute,
  cookieIn,
  problemOf,
  signedInCookie,
  TEST_PASSWORD,
  useRuntime,
} from "../../../../scripts/testing/route-client.ts";
import { GET as listMarks, POST as createAnnotation } from "../annotations/route.ts";
import { GET as listAudit } from "../audit/route.ts";
import { POST as accept } from "../invitations/accept/route.ts";
import { DELETE as revokeInvitation } from "../invitations/[invitationId]/route.ts";
import { GET as listInvitations, POST as invite } from "../invitations/route.ts";
import { POST as changePassword } from "../password/route.ts";
import { PATCH as changePerson } from "../people/[personId]/route.ts";
import { GET as listPeople } from "../people/route.ts";
import { DELETE as endSession } from "../sessions/[sessionId]/route.ts";
import { DELETE as signOutEverywhere, GET as listSessions } from "../sessions/route.ts";
import { DELETE as signOut, POST as signIn } from "./route.ts";

let database: TestDatabase;
let administrator: string;

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => Date.now());
  administrator = await signedInCookie(database.db, "administrator", "Ada Root");
});
beforeEach(() => {
  useRuntime(database.db, () => Date.now(), { trustLoopback: false });
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const emailOf = (name: string) => `${name.toLowerCase().replaceAll(" ", ".")}@plumbline.example`;

const enter = (name: string, password = TEST_PASSWORD, more: Parameters<typeof callRoute>[1] = {}) =>
  callRoute(signIn, { json: { email: emailOf(name), password }, ...more });

const sessionsOf = async (cookie: string) =>
  (await answerOf(await callRoute(listSessions, { as: { cookie } }), sessionList)).sessions;

async function personIdOf(name: string): Promise<string> {
  const { people } = await answerOf(
    await callRoute(listPeople, { as: { cookie: administrator } }),
    personList,
  );
  return people.find((each) => each.name === name)?.personId ?? "";
}

async function codeOf(json: MakeInvitation) {
  const made = await answerOf(
    await callRoute(invite, { as: { cookie: administrator }, json }),
    madeInvitation,
  );
  return { ...made, code: made.path.replace("/invitation/", "") };
}

describe("signing in", () => {
  it("sets a cookie that scripts cannot read, that other sites do not send, and that is for TLS alone behind TLS", async () => {
    await signedInCookie(database.db, "viewer", "Vera Klee");
    const [plain] = (await enter("Vera Klee")).headers.getSetCookie();
    expect(plain).toMatch(/^plumbline\.session_token=/);
    expect(plain).toMatch(/; HttpOnly/);
    expect(plain).toMatch(/; SameSite=Lax/);
    expect(plain).not.toMatch(/; Secure/);
    const headers = { "x-forwarded-proto": "https" };
    const [secure] = (await enter("Vera Klee", TEST_PASSWORD, { headers })).headers.getSetCookie();
    expect(secure).toMatch(/; Secure/);
  });

  it("says the same to a wrong password and to nobody", async () => {
    const wrong = await enter("Ada Root", "not the password");
    const nobody = await enter("No Body");
    expect([wrong.status, nobody.status]).toEqual([401, 401]);
    expect((await problemOf(wrong)).detail).toBe((await problemOf(nobody)).detail);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    expect((await readAudit(database.db.prisma, { limit: 1 }))[0]).toMatchObject({
      actor: "anonymous",
      action: "session.refuse",
      subject: "person Ada Root",
    });
  });

  it("cannot be guessed for long: neither as one person from many places nor from one place", async () => {
    await signedInCookie(database.db, "viewer", "Gil Guessed");
    useRuntime(database.db, () => 1_000_000);
    const tries = await Promise.all(
      Array.from({ length: 14 }, async (_, index) =>
        enter("Gil Guessed", `guess number ${index}`, { as: { address: `10.0.0.${index}` } }),
      ),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
    const limited = tries.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(4);
    expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await enter("Gil Guessed", TEST_PASSWORD, { as: { address: "10.0.0.99" } })).status).toBe(429);
    const spread = [];
    for (let index = 0; index < 22; index += 1) {
      spread.push((await enter(`Body ${index}`, "a guess", { as: { address: "10.7.7.7" } })).status);
    }
    expect(spread.filter((status) => status === 401)).toHaveLength(20);
  });

  it("is worth nothing with a cookie that somebody changed or made up", async () => {
    const forged = [administrator.slice(0, -3), `${administrator}x`, "plumbline.session_token=a.b", "x=y"];
    for (const cookie of forged) {
      expect((await callRoute(listPeople, { as: { cookie } })).status, cookie.slice(0, 30)).toBe(401);
    }
    const { rows } = await database.db.pool.query<{ token: string }>('select token from "Session" limit 1');
    const cookie = `plumbline.session_token=${rows[0]?.token}`;
    expect((await callRoute(listPeople, { as: { cookie } })).status).toBe(401);
  });
});

describe("a session or a token that is none any more", () => {
  const here = { local: true };

  it.each([{ trustLoopback: true }, { trustLoopback: false, anonymousViewer: true }])(
    "is never taken for somebody else: %o",
    async (changes) => {
      useRuntime(database.db, () => Date.now(), changes);
      const asked = async (as: object) => (await callRoute(listMarks, { as: { ...here, ...as } })).status;
      expect(await asked({})).toBe(200);
      for (const cookie of ["a.b", `${administrator}x`, "x".repeat(1000)])
        expect(await asked({ cookie: `plumbline.session_token=${cookie}` })).toBe(401);
      for (const token of ["plumb_none", "plumb_none x", "Bearer"]) expect(await asked({ token })).toBe(401);
    },
  );

  it("lets who is trusted at the machine in again without it", async () => {
    const runtime = useRuntime(database.db, () => Date.now(), { trustLoopback: true });
    const cookie = await signedInCookie(database.db, "viewer", "Eve Ended");
    expect((await callRoute(signOut, { as: { ...here, cookie } })).status).toBe(204);
    const after = await callRoute(listPeople, { as: { ...here, cookie } });
    expect(after.status).toBe(401);
    expect((await problemOf(after)).detail).toMatch(/^Your session has ended/);
    expect((await callRoute(listPeople, { as: here })).status).toBe(200);
    const peer = peerHeaderValue({ remoteAddress: "127.0.0.1", headers: { host: "localhost:4400" } });
    const who = async (sent: Record<string, string>) =>
      authenticatePerson(new Headers({ [PEER_HEADER]: peer, ...sent }), { ...runtime, accounts: undefined });
    expect(await who({})).toMatchObject({ kind: "local" });
    expect(await who({ cookie })).toBeUndefined();
    expect(await who({ authorization: "bearer x" })).toBeUndefined();
  });
});

describe("sessions", () => {
  it("are listed for their person alone, and end one by one, here, and everywhere", async () => {
    const first = await signedInCookie(database.db, "viewer", "Sam Sess");
    const second = cookieIn(
      await enter("Sam Sess", TEST_PASSWORD, { headers: { "user-agent": "Lynx/2.9" } }),
    );
    const third = cookieIn(await enter("Sam Sess"));
    const sessions = await sessionsOf(first);
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const lynx = sessions.find(({ userAgent }) => userAgent === "Lynx/2.9");
    expect(lynx?.address).toBe("10.1.2.3");
    expect(JSON.stringify(sessions)).not.toContain(second.split("=")[1]?.split(".")[0] ?? "?");

    const params = { sessionId: lynx?.sessionId ?? "" };
    expect((await callRoute(endSession, { as: { cookie: administrator }, params })).status).toBe(404);
    expect((await callRoute(endSession, { as: { cookie: first }, params })).status).toBe(204);
    expect((await callRoute(listSessions, { as: { cookie: second } })).status).toBe(401);

    expect((await callRoute(signOut, { as: { cookie: third } })).status).toBe(204);
    expect((await callRoute(listSessions, { as: { cookie: third } })).status).toBe(401);
    const fourth = cookieIn(await enter("Sam Sess"));
    const gone = await callRoute(signOutEverywhere, { as: { cookie: fourth } });
    expect(gone.headers.getSetCookie()[0]).toContain("Max-Age=0");
    for (const cookie of [first, fourth]) {
      expect((await callRoute(listSessions, { as: { cookie } })).status).toBe(401);
    }
  });

  it("are nothing for who is here without an account", async () => {
    useRuntime(database.db, () => Date.now());
    expect((await callRoute(listSessions, { as: { local: true } })).status).toBe(403);
  });
});

describe("a password", () => {
  it("is changed by who knows it, and ends every other session", async () => {
    const here = await signedInCookie(database.db, "viewer", "Paul Pass");
    const elsewhere = cookieIn(await enter("Paul Pass"));
    const change = (current: string, next: string) =>
      callRoute(changePassword, { as: { cookie: here }, json: { current, next } });
    const wrong = await change("not my password", "four other fine words");
    expect([wrong.status, (await problemOf(wrong)).errors?.[0]?.path]).toEqual([422, "current"]);
    const weak = await change(TEST_PASSWORD, "paul.pass password");
    expect([weak.status, (await problemOf(weak)).errors?.[0]?.path]).toEqual([422, "next"]);
    const done = await change(TEST_PASSWORD, "four other fine words");
    expect(done.status).toBe(204);
    expect((await callRoute(listSessions, { as: { cookie: elsewhere } })).status).toBe(401);
    expect(await sessionsOf(cookieIn(done))).toHaveLength(1);
    expect((await enter("Paul Pass")).status).toBe(401);
    expect((await enter("Paul Pass", "four other fine words")).status).toBe(200);
  });

  it("is stored as a hash alone, and stands in no audit line", async () => {
    const { rows } = await database.db.pool.query<{ password: string }>('select password from "Credential"');
    for (const { password } of rows) expect(password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    const audit = await database.db.pool.query('select detail::text from "AuditEvent"');
    expect(JSON.stringify(audit.rows)).not.toContain(TEST_PASSWORD);
  });
});

describe("an invitation", () => {
  const given = { name: "Inga New", email: "Inga@Plumbline.example", password: TEST_PASSWORD };

  it("makes one account with its role, also when two use it at once", async () => {
    const { code } = await codeOf({ role: "investigator" });
    const used = await Promise.all([
      callRoute(accept, { json: { code, ...given } }),
      callRoute(accept, { json: { code, ...given, name: "Second", email: "second@plumbline.example" } }),
    ]);
    expect(used.map(({ status }) => status).sort()).toEqual([200, 404]);
    const winner = used.find(({ status }) => status === 200);
    if (winner === undefined) throw new Error("nobody was let in");
    const json = { at: 1_750_000_000_000, kind: "note", title: "seen", scope: {} };
    const cookie = cookieIn(winner);
    const made = await callRoute(createAnnotation, { as: { cookie }, json });
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({
      author: expect.stringMatching(/^(Inga New|Second)$/) as string,
    });
    expect((await callRoute(invite, { as: { cookie }, json: { role: "viewer" } })).status).toBe(403);
  });

  it("is not used up by what cannot be done", async () => {
    const { code } = await codeOf({ role: "viewer" });
    const attempt = async (changes: object) =>
      callRoute(accept, { json: { code, name: "Nils Nice", email: "nils@plumbline.example", ...changes } });
    expect((await attempt({ password: "short" })).status).toBe(422);
    expect((await attempt({ password: TEST_PASSWORD, name: undefined })).status).toBe(422);
    expect((await attempt({ password: TEST_PASSWORD, name: "Token of mine" })).status).toBe(422);
    expect((await attempt({ password: TEST_PASSWORD, name: "Ada Root" })).status).toBe(409);
    expect(
      (await attempt({ password: TEST_PASSWORD, email: emailOf("Ada Root").toUpperCase() })).status,
    ).toBe(409);
    expect((await attempt({ password: TEST_PASSWORD })).status).toBe(200);
    expect((await attempt({ password: TEST_PASSWORD })).status).toBe(404);
  });

  it("can be taken back, expires, and is kept as a hash", async () => {
    const { code, invitationId } = await codeOf({ role: "viewer" });
    const stored = await database.db.pool.query('select i::text from "Invitation" i');
    expect(JSON.stringify(stored.rows)).not.toContain(code);
    const as = { cookie: administrator };
    expect((await callRoute(revokeInvitation, { as, params: { invitationId } })).status).toBe(204);
    expect((await callRoute(revokeInvitation, { as, params: { invitationId } })).status).toBe(404);
    expect((await callRoute(accept, { json: { code, ...given } })).status).toBe(404);
    const late = await codeOf({ role: "viewer" });
    useRuntime(database.db, () => late.expiresAt);
    expect((await callRoute(accept, { json: { code: late.code, ...given } })).status).toBe(404);
    const { invitations } = await answerOf(await callRoute(listInvitations, { as }), invitationList);
    expect(invitations.map((each) => each.invitationId)).not.toContain(late.invitationId);
  });

  it("for somebody who has an account sets another password and ends their sessions", async () => {
    const before = await signedInCookie(database.db, "viewer", "Olga Old");
    const made = await codeOf({ personId: await personIdOf("Olga Old") });
    expect(made).toMatchObject({ person: "Olga Old", role: "viewer" });
    const password = "five quite different words now";
    expect((await callRoute(accept, { json: { code: made.code, password } })).status).toBe(200);
    expect((await callRoute(listSessions, { as: { cookie: before } })).status).toBe(401);
    expect((await enter("Olga Old")).status).toBe(401);
    expect((await enter("Olga Old", password)).status).toBe(200);
  });
});

describe("people", () => {
  const change = async (name: string, json: object) =>
    callRoute(changePerson, {
      as: { cookie: administrator },
      params: { personId: await personIdOf(name) },
      json,
    });

  it("that are disabled are out at once and stay out until they are let in again", async () => {
    const cookie = await signedInCookie(database.db, "investigator", "Dora Dis");
    expect(await sessionsOf(cookie)).toHaveLength(1);
    expect((await change("Dora Dis", { disabled: true })).status).toBe(204);
    expect((await callRoute(listSessions, { as: { cookie } })).status).toBe(401);
    expect((await enter("Dora Dis")).status).toBe(401);
    const { rows } = await database.db.pool.query(
      'select 1 from "Session" s join "Person" p on p.id = s."personId" where p.name = $1',
      ["Dora Dis"],
    );
    expect(rows).toEqual([]);
    expect((await change("Dora Dis", { disabled: false })).status).toBe(204);
    expect((await enter("Dora Dis")).status).toBe(200);
  });

  it("get another role at once", async () => {
    const cookie = await signedInCookie(database.db, "viewer", "Rita Rise");
    expect((await callRoute(listPeople, { as: { cookie } })).status).toBe(403);
    expect((await change("Rita Rise", { role: "administrator" })).status).toBe(204);
    expect((await callRoute(listPeople, { as: { cookie } })).status).toBe(200);
    expect((await change("Rita Rise", { role: "viewer" })).status).toBe(204);
  });

  it("keep one administrator, also when two of them take each other away at once", async () => {
    expect((await change("Ada Root", { role: "viewer" })).status).toBe(409);
    expect((await change("Ada Root", { disabled: true })).status).toBe(409);
    const other = await signedInCookie(database.db, "administrator", "Otto Other");
    const [ada, otto] = [await personIdOf("Ada Root"), await personIdOf("Otto Other")];
    const json = { role: "viewer" };
    const both = await Promise.all([
      callRoute(changePerson, { as: { cookie: administrator }, params: { personId: otto }, json }),
      callRoute(changePerson, { as: { cookie: other }, params: { personId: ada }, json }),
    ]);
    const [done, refused] = both.map(({ status }) => status).sort();
    expect(done).toBe(204);
    // The later one is the last administrator now; or, read after the first was done, is none any more.
    expect([409, 403]).toContain(refused);
    const { rows } = await database.db.pool.query(
      `select name from "Person" where role = 'administrator' and name in ('Ada Root', 'Otto Other')`,
    );
    expect(rows).toHaveLength(1);
    await database.db.pool.query(`update "Person" set role = 'administrator' where name = 'Ada Root'`);
    useRuntime(database.db, () => Date.now() + 60_000, { trustLoopback: false });
    expect((await callRoute(listPeople, { as: { cookie: administrator } })).status).toBe(200);
  });
});

describe("the audit trail", () => {
  const read = async (query: Record<string, string | number>) =>
    answerOf(await callRoute(listAudit, { as: { cookie: administrator }, query }), auditList);

  it("has every write with who did it, can be narrowed, and goes on page by page", async () => {
    const all = await read({ limit: 500 });
    expect(all.total).toBe(all.events.length);
    expect(all.actions).toEqual(
      expect.arrayContaining(["invitation.make", "password.change", "person.change", "session.end"]),
    );
    const one = await read({ actor: "Ada Root", action: "person.change", limit: 2, offset: 1 });
    expect(one.events).toHaveLength(2);
    const expected = all.events.filter(
      ({ actor, action }) => actor === "Ada Root" && action === "person.change",
    );
    expect(one.total).toBe(expected.length);
    expect(one.events).toEqual(expected.slice(1, 3));
  });
});
