import { setTimeout as delay } from "node:timers/promises";
import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { call, findNode, send, type Answer } from "../api.ts";
import { push, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";

export const access: Story = {
  name: "access",
  about: "tokens and browsers that must not get through",
  async run({ stack, report }) {
    const { server } = stack;
    const write = stack.issueToken(["snapshots:write"], "access-a");
    const readA = stack.issueToken(["read"], "access-a");
    const readB = stack.issueToken(["read", "annotations:write"], "access-b");
    const marks = stack.issueToken(["annotations:write"], "access-a");
    const nowMs = Date.now();
    const snapshot = snapshotOf(realSnapshot(), {
      node: "guarded",
      at: nowMs,
      bootId: "b",
      bootedAtMs: nowMs - 1e6,
    });
    await push(server, write, [snapshot]);
    const nodeId = (await findNode(server, readA, "guarded"))?.nodeId ?? 0;
    const note = { at: nowMs, kind: "note", title: "guarded" };
    const mark = JSON.parse(
      (await send(server, marks, "/api/v1/annotations", { ...note, scope: { nodes: [nodeId] } })).text,
    ) as {
      annotationId: number;
    };

    const expect = async (what: string, expected: number, answer: Promise<Answer>) => {
      const { status } = await answer;
      report.check(`${what}: ${expected}`, status === expected, String(status));
    };
    const foreign = { host: "plumbline.evil.example" };
    const get = (path: string, options: Parameters<typeof call>[2] = {}) => call(server, path, options);

    await expect("reading with a token that only writes", 403, get("/api/v1/nodes", { token: write }));
    await expect("writing with a token that only reads", 403, push(server, readA, [snapshot]));
    await expect(
      "marking with a token that only reads",
      403,
      send(server, readA, "/api/v1/annotations", note),
    );
    await expect("reading with a token that only marks", 403, get("/api/v1/nodes", { token: marks }));
    await expect(
      "pushing without a token from this machine",
      401,
      send(server, undefined, "/api/v1/snapshots", snapshot),
    );
    await expect("tokens with a token", 403, get("/api/v1/tokens", { token: readA }));
    await expect(
      "issuing a token with a token",
      403,
      send(server, readA, "/api/v1/tokens", { name: "x", scopes: ["read"] }),
    );
    await expect("a node of another cluster", 404, get(`/api/v1/nodes/${nodeId}`, { token: readB }));
    await expect("its composition", 404, get(`/api/v1/nodes/${nodeId}/composition`, { token: readB }));
    await expect(
      "its series",
      404,
      get(`/api/v1/nodes/${nodeId}/series?metric=meminfo.MemFree`, { token: readB }),
    );
    await expect("its snapshot", 404, get(`/api/v1/nodes/${nodeId}/snapshot`, { token: readB }));
    await expect("its effects", 404, get(`/api/v1/nodes/${nodeId}/effects`, { token: readB }));
    await expect(
      "a mark of another cluster",
      404,
      get(`/api/v1/annotations/${mark.annotationId}`, { token: readB }),
    );
    await expect(
      "changing it",
      404,
      send(server, readB, `/api/v1/annotations/${mark.annotationId}`, { title: "mine" }, "PATCH"),
    );
    await expect(
      "removing it",
      404,
      get(`/api/v1/annotations/${mark.annotationId}`, { method: "DELETE", token: readB }),
    );

    for (const path of ["/", `/nodes/${nodeId}`, "/docs/api"]) {
      await expect(`page ${path} under a foreign name`, 303, get(path, { headers: foreign }));
    }
    await expect("the API under a foreign name", 401, get("/api/v1/nodes", { headers: foreign }));
    await expect("tokens under a foreign name", 401, get("/api/v1/tokens", { headers: foreign }));
    await expect(
      "tokens through a proxy",
      401,
      get("/api/v1/tokens", { headers: { "x-forwarded-for": "10.0.0.1" } }),
    );
    await expect(
      "tokens with an invented peer header",
      401,
      get("/api/v1/tokens", { headers: { ...foreign, "x-plumbline-peer": "x local 127.0.0.1" } }),
    );
    await expect(
      "tokens with an invented cookie",
      401,
      get("/api/v1/tokens", { headers: { ...foreign, cookie: "plumbline.session_token=x.y" } }),
    );
    await expect("the metrics under a foreign name", 401, get("/metrics", { headers: foreign }));
    const json = { "content-type": "application/json" };
    const crossing = (path: string, body: object, headers: Record<string, string>) =>
      call(server, path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const origin = { origin: "https://evil.example" };
    await expect("a mark posted by a foreign page", 403, crossing("/api/v1/annotations", note, origin));
    await expect(
      "a token issued by a foreign page",
      403,
      crossing("/api/v1/tokens", { name: "x", scopes: ["read"] }, { "sec-fetch-site": "cross-site" }),
    );
    await expect(
      "a mark posted by a page without an origin",
      403,
      crossing("/api/v1/annotations", note, { origin: "null" }),
    );
    await expect(
      "a token of a sibling site",
      403,
      crossing("/api/v1/tokens", { name: "x", scopes: ["read"] }, { "sec-fetch-site": "same-site" }),
    );
    await expect(
      "a server action of a foreign page",
      403,
      call(server, "/", {
        method: "POST",
        headers: { ...origin, "next-action": "0".repeat(40), "content-type": "text/plain" },
        body: "[]",
      }),
    );
    await expect(
      "a form of a foreign page that ends in the API",
      403,
      call(server, "/api/v1/annotations", {
        method: "POST",
        headers: { ...origin, "content-type": "text/plain" },
        body: JSON.stringify(note),
      }),
    );
    const cors = await get("/api/v1/nodes", { token: readA, headers: origin });
    report.check(
      "no page of another site may read the answer",
      cors.headers["access-control-allow-origin"] === undefined,
    );

    const issued = await send(server, undefined, "/api/v1/tokens", {
      name: "short",
      cluster: "access-a",
      scopes: ["read"],
      expiresAt: Date.now() + 1500,
    });
    const { secret } = JSON.parse(issued.text) as { secret: string };
    await expect("a token before it expires", 200, get("/api/v1/nodes", { token: secret }));
    await delay(1600);
    await expect("a token that has expired", 401, get("/api/v1/nodes", { token: secret }));
    const ending = JSON.parse(
      (
        await send(server, undefined, "/api/v1/tokens", {
          name: "ending",
          cluster: "access-a",
          scopes: ["read"],
        })
      ).text,
    ) as { secret: string; tokenId: number };
    await expect("a token before it is revoked", 200, get("/api/v1/nodes", { token: ending.secret }));
    await expect("revoking it", 204, call(server, `/api/v1/tokens/${ending.tokenId}`, { method: "DELETE" }));
    const outAtMs = Date.now();
    let revoked = await get("/api/v1/nodes", { token: ending.secret });
    while (revoked.status === 200 && Date.now() - outAtMs < 15_000) {
      await delay(500);
      revoked = await get("/api/v1/nodes", { token: ending.secret });
    }
    report.check(
      "a revoked token ends",
      revoked.status === 401,
      `${((Date.now() - outAtMs) / 1000).toFixed(1)} s`,
    );

    for (const authorization of [
      "Bearer",
      "Bearer ",
      "Basic Og==",
      "Bearer pl_x_y z",
      `Bearer pl_${"x".repeat(9000)}`,
      "Bearer ☃".normalize(),
    ]) {
      const { status } = await get("/api/v1/nodes", {
        headers: { authorization: Buffer.from(authorization).toString("latin1") },
      });
      report.check(
        `Authorization ${JSON.stringify(authorization.slice(0, 20))} is refused`,
        status === 401 || status === 429,
        String(status),
      );
    }
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        get("/api/v1/nodes", { token: `pl_abcdefgh_${String(index).padStart(43, "x")}` }),
      ),
    );
    const limited = guesses.filter(
      ({ status, headers }) => status === 429 && headers["retry-after"] !== undefined,
    );
    report.check(
      "guessing is slowed down",
      limited.length > 0 && guesses.every(({ status }) => status === 401 || status === 429),
      `${limited.length} of 60 answered 429`,
    );
    await expect("meanwhile a good token works", 200, get("/api/v1/nodes", { token: readA }));
  },
};
