import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOCAL_COOKIE, localCookieValue, PEER_HEADER, peerHeaderValue } from "#lib/server/http/peer.ts";
import { normalisedTarget, refuseOnPages } from "./page-gate.ts";

const secret = "a secret of this server";

function from(remoteAddress: string, headers: Record<string, string> = {}): Headers {
  const all: Record<string, string> = { host: "localhost:4400", ...headers };
  return new Headers({ ...all, [PEER_HEADER]: peerHeaderValue({ remoteAddress, headers: all }) });
}

const get = (path: string, headers: Headers) => refuseOnPages({ method: "GET", path, headers }, secret);
const post = (path: string, headers: Headers) => refuseOnPages({ method: "POST", path, headers }, secret);

describe("pages", () => {
  it("answer this machine", () => {
    expect(get("/", from("127.0.0.1"))).toBeUndefined();
    expect(get("/nodes/1", from("::1", { host: "[::1]:4400" }))).toBeUndefined();
  });

  it("refuse another machine, a proxy, and a foreign name that was pointed at loopback", () => {
    expect(get("/", from("192.0.2.7"))?.status).toBe(403);
    expect(get("/", from("127.0.0.1", { "x-forwarded-for": "192.0.2.7" }))?.status).toBe(403);
    expect(get("/", from("127.0.0.1", { host: "rebound.example:4400" }))?.status).toBe(403);
  });

  it("answer another machine with the cookie of the one-time address, and no other", () => {
    const cookie = `${LOCAL_COOKIE}=${localCookieValue(secret)}`;
    expect(get("/", from("192.0.2.7", { cookie }))).toBeUndefined();
    expect(get("/", from("192.0.2.7", { cookie: `${LOCAL_COOKIE}=x` }))?.status).toBe(403);
    expect(
      refuseOnPages({ method: "GET", path: "/", headers: from("192.0.2.7", { cookie }) }, undefined)?.status,
    ).toBe(403);
  });

  it("take writes from their own pages alone", () => {
    expect(post("/", from("127.0.0.1", { origin: "http://localhost:4400" }))).toBeUndefined();
    expect(post("/", from("127.0.0.1", { origin: "http://evil.example" }))?.status).toBe(403);
    expect(post("/", from("127.0.0.1", { "sec-fetch-site": "cross-site" }))?.status).toBe(403);
  });
});

describe("addresses with a rule of their own", () => {
  it.each(["/api/v1/nodes", "/livez", "/readyz", "/metrics", "/_next/static/chunks/a.js"])("%s", (path) => {
    expect(get(path, from("192.0.2.7"))).toBeUndefined();
  });

  it("are no way around the gate for server actions", () => {
    expect(post("/api/nothing", from("192.0.2.7", { "next-action": "x" }))?.status).toBe(403);
    expect(
      post("/api/nothing", from("192.0.2.7", { "content-type": "multipart/form-data; boundary=x" }))?.status,
    ).toBe(403);
    expect(
      post("/api/v1/raw", from("192.0.2.7", { "content-type": "application/x-www-form-urlencoded" })),
    ).toBeUndefined();
  });

  it("do not include look-alikes", () => {
    for (const path of ["/api", "/apix/", "/_next/image", "/livez/x", "/x/api/"]) {
      expect(get(path, from("192.0.2.7"))?.status, path).toBe(403);
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
