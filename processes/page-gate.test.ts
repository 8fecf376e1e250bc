import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAtLeast, role as roles, type Role } from "#lib/contracts/role.ts";
import { PAGES } from "#lib/server/http/page-access.ts";
import type { PersonActor } from "#lib/server/services/context.ts";
import { isForPage, normalisedTarget, refuseOnPages } from "./page-gate.ts";

const headers = new Headers({ host: "localhost:4400" });
const person = (role: Role): PersonActor => ({
  kind: "person",
  personId: "1",
  sessionId: "2",
  name: "Ida",
  role,
});

function ask(
  method: string,
  path: string,
  who: PersonActor | undefined,
  more: Record<string, string> = {},
): number | string | undefined {
  const all = new Headers([...headers, ...Object.entries(more)]);
  if (!isForPage({ method, path, headers: all })) return "own rule";
  const refusal = refuseOnPages({ method, path, search: "", headers: all }, who);
  if (refusal === undefined) return undefined;
  return "signInAt" in refusal ? refusal.signInAt : refusal.status;
}

describe("pages", () => {
  it("lead who is nobody to the page that signs in, which answers everybody", () => {
    expect(ask("GET", "/", undefined)).toBe("/sign-in");
    expect(ask("GET", "/people", undefined)).toBe("/sign-in?next=%2Fpeople");
    expect(ask("GET", "/no/such/page", undefined)).toBe("/sign-in?next=%2Fno%2Fsuch%2Fpage");
    expect(ask("GET", "/sign-in", undefined)).toBeUndefined();
    expect(ask("GET", "/invitation/abc", undefined)).toBeUndefined();
    expect(ask("POST", "/", undefined)).toBe(403);
  });

  it.each(Object.entries(PAGES))("%s answers %s and above", (page, least) => {
    const path = page.replace(/\{\w+\}/g, "7");
    for (const role of roles.options) {
      const expected = least === "public" || isAtLeast(role, least) ? undefined : 403;
      expect(ask("GET", path, person(role)), role).toBe(expected);
      expect(ask("GET", `${path}/`, person(role)), role).toBe(expected);
    }
    expect(ask("GET", path, { kind: "local", name: "local" })).toBeUndefined();
  });

  it("take writes from their own pages alone", () => {
    const who = person("administrator");
    expect(ask("POST", "/", who, { origin: "http://localhost:4400" })).toBeUndefined();
    expect(ask("POST", "/", who, { origin: "http://evil.example" })).toBe(403);
    expect(ask("POST", "/sign-in", undefined, { "sec-fetch-site": "cross-site" })).toBe(403);
  });
});

describe("addresses with a rule of their own", () => {
  it.each(["/api/v1/nodes", "/livez", "/readyz", "/metrics", "/_next/static/chunks/a.js"])("%s", (path) => {
    expect(ask("GET", path, undefined)).toBe("own rule");
  });

  it("are no way around the gate for server actions", () => {
    expect(ask("POST", "/api/nothing", undefined, { "next-action": "x" })).toBe(403);
    expect(
      ask("POST", "/api/nothing", undefined, { "content-type": "multipart/form-data; boundary=x" }),
    ).toBe(403);
    expect(
      ask("POST", "/api/v1/raw", undefined, { "content-type": "application/x-www-form-urlencoded" }),
    ).toBe("own rule");
  });

  it("do not include look-alikes", () => {
    for (const path of [
      "/api",
      "/apix/",
      "/_next/image",
      "/livez/x",
      "/x/api/",
      "/sign-in/x",
      "/invitation/",
    ]) {
      expect(ask("GET", path, undefined), path).toContain("/sign-in?next=");
    }
  });
});

describe("the path that is judged", () => {
  it.each([
    ["/api/../nodes/1?x=1", "/nodes/1", "?x=1"],
    ["/api/%2e%2e/nodes", "/nodes", ""],
    ["/api\\..\\nodes", "/nodes", ""],
    ["//evil.example/api/", "//evil.example/api/", ""],
  ])("%s", (url, path, search) => {
    expect(normalisedTarget(url)).toEqual({ path, search });
  });

  it("is none for what is no path", () => {
    for (const url of [undefined, "", "*", "http://other/x", "@evil.example/", "/%", "/nodes/%E0%A4%A"]) {
      expect(normalisedTarget(url)).toBeUndefined();
    }
  });

  it("does not change when it is judged again", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = normalisedTarget(`/${text}`);
        if (once === undefined) return;
        expect(normalisedTarget(once.path + once.search)).toEqual(once);
      }),
    );
  });
});
