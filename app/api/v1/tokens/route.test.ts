import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { annotationList } from "#lib/contracts/annotation.ts";
import { issuedToken, tokenList, type IssueToken } from "#lib/contracts/token.ts";
import { listAudit } from "#lib/server/data/audit.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../../../scripts/testing/test-database.ts";
import { answerOf, callRoute, problemOf, useRuntime } from "../../../../scripts/testing/route-client.ts";
import { GET as listAnnotations } from "../annotations/route.ts";
import { DELETE as revoke } from "./[tokenId]/route.ts";
import { GET as list, POST as issue } from "./route.ts";

let database: TestDatabase;
let nowMs = Date.parse("2026-03-01T12:00:00Z");
const local = { local: true };

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  useRuntime(database.db, () => nowMs);
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

async function issueOne(token: Partial<IssueToken> = {}) {
  const response = await callRoute(issue, {
    as: local,
    json: { name: "a reader", cluster: "east", scopes: ["read"], ...token },
  });
  expect(response.status).toBe(201);
  return answerOf(response, issuedToken);
}

const read = (token: string, address?: string) =>
  callRoute(listAnnotations, { as: { token, ...(address !== undefined && { address }) } });

describe("a token", () => {
  it("is shown once, works, and leaves only prefix and hash behind", async () => {
    const made = await issueOne({ name: "collector of east", scopes: ["read", "snapshots:write"] });
    expect(made.secret).toMatch(new RegExp(`^pl_${made.prefix}_[A-Za-z0-9_-]{43}$`));
    expect(made).toMatchObject({ cluster: "east", lastUsedAt: null, revokedAt: null });
    await answerOf(await read(made.secret), annotationList);

    const { tokens } = await answerOf(await callRoute(list, { as: local }), tokenList);
    expect(tokens.find(({ tokenId }) => tokenId === made.tokenId)).toMatchObject({
      name: "collector of east",
      lastUsedAt: nowMs,
    });
    const secret = made.secret.slice(-43);
    const { rows } = await database.db.pool.query(`select t::text as all, a.detail::text as audit
      from "ApiToken" t cross join "AuditEvent" a`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(await listAudit(database.db.prisma, { limit: 1 })).toMatchObject([
      { atMs: nowMs, actor: "local", action: "token.issue", subject: `token ${made.tokenId}` },
    ]);
  });

  it("ends at once when revoked, and only once", async () => {
    const made = await issueOne();
    expect((await read(made.secret)).status).toBe(200);
    const params = { tokenId: made.tokenId };
    expect((await callRoute(revoke, { as: local, params })).status).toBe(204);
    const refused = await read(made.secret);
    expect(refused.status).toBe(401);
    expect((await problemOf(refused)).detail).toBe("The token is revoked.");
    expect((await callRoute(revoke, { as: local, params })).status).toBe(404);
  });

  it("expires, also while it is remembered", async () => {
    const made = await issueOne({ expiresAt: nowMs + 1000 });
    expect((await read(made.secret)).status).toBe(200);
    nowMs += 1000;
    expect((await problemOf(await read(made.secret))).detail).toBe("The token is expired.");
  });

  it("is refused where its scope is missing or no token is wanted", async () => {
    const writer = await issueOne({ scopes: ["annotations:write"] });
    const refused = await read(writer.secret);
    expect(refused.status).toBe(403);
    expect((await problemOf(refused)).detail).toContain("scope read");
    expect((await callRoute(list, { as: { token: writer.secret } })).status).toBe(403);
  });

  it("notes its use at most once a minute", async () => {
    const made = await issueOne();
    const lastUsed = async () => {
      const { tokens } = await answerOf(await callRoute(list, { as: local }), tokenList);
      return tokens.find(({ tokenId }) => tokenId === made.tokenId)?.lastUsedAt;
    };
    const start = nowMs;
    await read(made.secret);
    nowMs = start + 30_000;
    await read(made.secret);
    expect(await lastUsed()).toBe(start);
    nowMs = start + 61_000;
    await read(made.secret);
    expect(await lastUsed()).toBe(start + 61_000);
  });

  it.each(["", "pl_", "x", `pl_abcdefgh_${"A".repeat(43)}`, `pl_ABCDEFGH_${"A".repeat(43)}`, "pl_a'; drop"])(
    "that is none is refused: %j",
    async (token) => {
      const refused = await read(token);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    },
  );

  it("cannot be guessed for long, and a neighbour with a good one is not slowed", async () => {
    const good = await issueOne();
    const address = "10.9.9.9";
    expect((await read(good.secret, address)).status).toBe(200);
    const guesses = [];
    for (let guess = 0; guess < 25; guess += 1) guesses.push((await read(`wrong-${guess}`, address)).status);
    expect(guesses.filter((status) => status === 401)).toHaveLength(20);
    const limited = await read("wrong", address);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await read(good.secret, address)).status).toBe(200);
    expect((await read("wrong", "10.9.9.10")).status).toBe(401);
  });

  it("cannot be guessed many at a time either", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, guess) =>
        read(`pl_abcdefgh_${String(guess).padStart(43, "x")}`, "10.9.9.11"),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  });
});

describe("making tokens", () => {
  it("is not for a stranger, nor for another site", async () => {
    const json = { name: "x", scopes: ["read"] };
    expect((await callRoute(issue, { json })).status).toBe(401);
    expect((await callRoute(issue, { json, as: local })).status).toBe(201);
    const foreign = { origin: "https://elsewhere.example" };
    expect((await callRoute(issue, { json, as: local, headers: foreign })).status).toBe(403);
  });

  it.each([
    [{ name: "x", scopes: ["snapshots:write"] }, "cluster"],
    [{ name: " ", scopes: ["read"] }, "name"],
    [{ name: "x\u0000", scopes: ["read"] }, "name"],
    [{ name: "x", scopes: [] }, "scopes"],
    [{ name: "x", scopes: ["everything"] }, "scopes.0"],
    [{ name: "x", scopes: ["read"], expiresAt: 1 }, "expiresAt"],
    [{ name: "x", scopes: ["read"], admin: true }, ""],
    [[], ""],
  ])("refuses %j", async (json, path) => {
    const refused = await callRoute(issue, { as: local, json });
    expect(refused.status).toBe(422);
    expect((await problemOf(refused)).errors?.[0]?.path).toBe(path);
  });

  it("refuses bodies that are no JSON, too large, or of another type", async () => {
    const send = (body: string, type: string) =>
      callRoute(issue, { as: local, body, headers: { "content-type": type } });
    expect((await send("{", "application/json")).status).toBe(400);
    expect((await send("name=x", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await send(JSON.stringify("x".repeat(300_000)), "application/json")).status).toBe(413);
  });

  it("answers 404 for an id that is none", async () => {
    for (const tokenId of ["0", "abc", "1e99", "2147483648", "999999"]) {
      expect((await callRoute(revoke, { as: local, params: { tokenId } })).status, tokenId).toBe(404);
    }
  });
});
