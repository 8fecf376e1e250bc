import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAtLeast, role as roles } from "#lib/contracts/role.ts";
import { AppError } from "#lib/errors.ts";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { signedInCookie, useRuntime } from "../../../scripts/testing/route-client.ts";
import { authenticate, type Access } from "./authenticate.ts";
import { PEER_HEADER, peerHeaderValue } from "./peer.ts";
import { ROUTES } from "./route-registry.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { setRuntime, type Runtime } from "./runtime.ts";

/** Who may call each route. A route that is added is written down here too, by hand: that is the point of it. */
const TABLE = `
token snapshots:write
  POST /api/v1/snapshots
  POST /api/v1/raw
  POST /api/v1/write

viewer, token read
  POST /api/v1/inspect
  GET /api/v1/nodes
  GET /api/v1/fleet/ranking
  GET /api/v1/nodes/{nodeId}
  GET /api/v1/nodes/{nodeId}/composition
  GET /api/v1/nodes/{nodeId}/series
  GET /api/v1/nodes/{nodeId}/creators
  GET /api/v1/nodes/{nodeId}/slab
  GET /api/v1/nodes/{nodeId}/slab/growth
  GET /api/v1/nodes/{nodeId}/snapshot
  GET /api/v1/nodes/{nodeId}/trend
  GET /api/v1/nodes/{nodeId}/correlation
  GET /api/v1/nodes/{nodeId}/forecast
  GET /api/v1/nodes/{nodeId}/changepoints
  GET /api/v1/nodes/{nodeId}/decomposition
  GET /api/v1/nodes/{nodeId}/directories
  GET /api/v1/nodes/{nodeId}/effects
  GET /api/v1/nodes/{nodeId}/effects/{annotationId}
  GET /api/v1/nodes/{nodeId}/findings
  GET /api/v1/findings
  GET /api/v1/cohorts
  GET /api/v1/compare
  GET /api/v1/metrics
  GET /api/v1/annotations
  GET /api/v1/annotations/{annotationId}
  GET /api/v1/annotations/{annotationId}/history
  GET /api/v1/annotations/tags
  GET /api/v1/annotations.csv
  GET /api/annotations
  GET /api/v1/annotations/{annotationId}/followups
  GET /api/v1/experiments
  GET /api/v1/investigations
  GET /api/v1/investigations/{investigationId}
  GET /api/v1/investigations/{investigationId}/export
  GET /api/v1/investigations/{investigationId}/history
  GET /api/v1/investigations/{investigationId}/log
  GET /metrics

investigator, token annotations:write
  PATCH /api/v1/findings/{findingId}
  POST /api/v1/annotations
  PATCH /api/v1/annotations/{annotationId}
  DELETE /api/v1/annotations/{annotationId}
  POST /api/v1/annotations.csv
  POST /api/annotations
  POST /api/v1/investigations
  PATCH /api/v1/investigations/{investigationId}
  DELETE /api/v1/investigations/{investigationId}
  POST /api/v1/investigations/{investigationId}/pins
  PATCH /api/v1/investigations/{investigationId}/pins/{number}
  DELETE /api/v1/investigations/{investigationId}/pins/{number}
  POST /api/v1/investigations/{investigationId}/hypotheses
  PATCH /api/v1/investigations/{investigationId}/hypotheses/{hypothesisId}
  DELETE /api/v1/investigations/{investigationId}/hypotheses/{hypothesisId}
  POST /api/v1/investigations/{investigationId}/log
  PATCH /api/v1/investigations/{investigationId}/log/{entryId}
  DELETE /api/v1/investigations/{investigationId}/log/{entryId}

investigator
  POST /api/v1/investigations/import
  GET /api/v1/shares
  GET /api/v1/investigations/{investigationId}/shares
  POST /api/v1/investigations/{investigationId}/shares
  POST /api/v1/investigations/{investigationId}/shares/{shareId}/address
  DELETE /api/v1/investigations/{investigationId}/shares/{shareId}
  POST /api/v1/inspect/snapshots

administrator
  GET /api/v1/imports
  POST /api/v1/imports
  PATCH /api/v1/imports/{importId}
  GET /api/v1/tokens
  POST /api/v1/tokens
  DELETE /api/v1/tokens/{tokenId}
  GET /api/v1/people
  PATCH /api/v1/people/{personId}
  GET /api/v1/invitations
  POST /api/v1/invitations
  DELETE /api/v1/invitations/{invitationId}
  GET /api/v1/audit

public
  POST /api/v1/session
  POST /api/v1/shares/unlock
  POST /api/v1/invitations/accept
  GET /livez
  GET /readyz
  GET /api/v1/openapi.json

viewer
  DELETE /api/v1/session
  GET /api/v1/sessions
  DELETE /api/v1/sessions
  DELETE /api/v1/sessions/{sessionId}
  POST /api/v1/password
`;

const text = (access: Access): string => {
  if (access === "public") return access;
  if ("tokenScope" in access) return `token ${access.tokenScope}`;
  return access.scope === undefined ? access.role : `${access.role}, token ${access.scope}`;
};

const ALL = [...ROUTES, openApiRoute.facts];

let database: TestDatabase;
let runtime: Runtime;
const cookies = new Map<string, string>();

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = useRuntime(database.db, () => Date.now(), { trustLoopback: false });
  for (const role of roles.options) cookies.set(role, await signedInCookie(database.db, role));
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

/** What a rule makes of a caller: let in, or why not. */
async function ask(
  access: Access,
  method: string,
  given: { cookie?: string | undefined; remoteAddress?: string; origin?: string },
  changes: Partial<Runtime> = {},
): Promise<string> {
  const headers = new Headers({ host: "localhost:4400" });
  const remoteAddress = given.remoteAddress ?? "10.1.2.3";
  headers.set(PEER_HEADER, peerHeaderValue({ remoteAddress, headers: { host: "localhost:4400" } }));
  if (given.cookie !== undefined) headers.set("cookie", given.cookie);
  if (given.origin !== undefined) headers.set("origin", given.origin);
  const request = new Request("http://localhost:4400/", { method, headers });
  try {
    await authenticate(request, access, { ...runtime, ...changes });
    return "in";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe("the access of routes", () => {
  it("is what is written down", () => {
    const groups = new Map<string, string[]>();
    for (const { access, method, path } of ALL) {
      groups.set(text(access), [...(groups.get(text(access)) ?? []), `${method} ${path}`]);
    }
    const written = [...groups]
      .map(([rule, routes]) => `${rule}\n${routes.map((each) => `  ${each}`).join("\n")}`)
      .sort();
    const expected = TABLE.trim().split("\n\n");
    const sorted = (group: string) => {
      const [rule, ...routes] = group.split("\n");
      return [rule, ...routes.sort()].join("\n");
    };
    expect(written.map(sorted).sort()).toEqual(expected.map(sorted).sort());
  });

  it.each(ALL.map(({ method, path, access }) => [`${method} ${path}`, method, access] as const))(
    "%s",
    async (_name, method, access) => {
      const signedIn = async (role: string) => ask(access, method, { cookie: cookies.get(role) });
      if (access === "public") {
        expect(await ask(access, method, {})).toBe("in");
        return;
      }
      expect(await ask(access, method, {})).toBe("unauthenticated");
      for (const role of roles.options) {
        const expected =
          "tokenScope" in access ? "unauthenticated" : isAtLeast(role, access.role) ? "in" : "forbidden";
        expect(await signedIn(role), role).toBe(expected);
      }
      const stranger = await ask(access, method, {}, { anonymousViewer: true });
      const reads = !("tokenScope" in access) && access.role === "viewer";
      expect(stranger).toBe("tokenScope" in access ? "unauthenticated" : reads ? "in" : "forbidden");
    },
  );
});

describe("who is at the server's machine", () => {
  const access: Access = { role: "administrator" };
  const here = { remoteAddress: "127.0.0.1" };

  it("is administrator where that is said, and else only until somebody has an account", async () => {
    expect(await ask(access, "GET", here)).toBe("unauthenticated");
    expect(await ask(access, "GET", here, { trustLoopback: true })).toBe("in");
    const empty = await createTestDatabase();
    try {
      expect(await ask(access, "GET", here, { db: empty.db })).toBe("in");
      expect(await ask(access, "GET", {}, { db: empty.db })).toBe("unauthenticated");
      useRuntime(empty.db, () => Date.now());
      await signedInCookie(empty.db, "viewer");
      expect(await ask(access, "GET", here, { db: empty.db })).toBe("in");
      await signedInCookie(empty.db, "administrator");
      expect(await ask(access, "GET", here, { db: empty.db })).toBe("unauthenticated");
    } finally {
      await empty.drop();
    }
  });
});

describe("a page of another site", () => {
  it("may not write, whoever's cookie the browser sends with it, nor sign anybody in", async () => {
    const origin = "https://elsewhere.example";
    const cookie = cookies.get("administrator");
    expect(await ask({ role: "viewer" }, "POST", { cookie, origin })).toBe("forbidden");
    expect(await ask("public", "POST", { origin })).toBe("forbidden");
    expect(await ask({ role: "viewer" }, "GET", { cookie, origin })).toBe("in");
  });
});
