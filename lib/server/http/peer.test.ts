import { describe, expect, it } from "vitest";
import { isBehindTls, isSameOrigin, PEER_HEADER, peerHeaderValue, readPeer } from "./peer.ts";

function arriving(remoteAddress: string | undefined, headers: Record<string, string>) {
  return readPeer(new Headers({ [PEER_HEADER]: peerHeaderValue({ remoteAddress, headers }) }));
}

describe("the peer", () => {
  it.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("is local from %s", (address) => {
    expect(arriving(address, { host: "localhost:4400" })).toEqual({ address, local: true });
  });

  it.each(["127.0.0.1:4400", "[::1]:4400", "LOCALHOST"])("is local under the name %s", (host) => {
    expect(arriving("127.0.0.1", { host }).local).toBe(true);
  });

  it("is not local from elsewhere, through a proxy, or under another name", () => {
    expect(arriving("10.0.0.7", { host: "localhost" })).toEqual({ address: "10.0.0.7", local: false });
    expect(arriving("::ffff:10.0.0.7", { host: "localhost" }).local).toBe(false);
    expect(arriving(undefined, { host: "localhost" }).local).toBe(false);
    for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
      expect(arriving("127.0.0.1", { host: "localhost", [header]: "10.0.0.7" }).local, header).toBe(false);
    }
    for (const host of ["rebind.example:4400", "localhost.example", "127.0.0.1.example", "1270.0.0.1", ""]) {
      expect(arriving("127.0.0.1", { host }).local, host).toBe(false);
    }
  });

  it("is a stranger when the header is missing or made up", () => {
    expect(readPeer(new Headers())).toEqual({ address: "unknown", local: false });
    expect(readPeer(new Headers({ [PEER_HEADER]: "guess local 127.0.0.1" }))).toEqual({
      address: "unknown",
      local: false,
    });
    expect(readPeer(new Headers({ [PEER_HEADER]: " local 127.0.0.1" })).local).toBe(false);
  });
});

describe("TLS in front of the server", () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ["http", false],
    ["https", true],
    ["HTTPS, http", true],
    ["http, https", false],
  ])("is told by x-forwarded-proto %j: %s", (proto, expected) => {
    const headers = new Headers(proto === undefined ? {} : { "x-forwarded-proto": proto });
    expect(isBehindTls(headers)).toBe(expected);
  });
});

describe("a write", () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "cross-site", origin: "http://localhost:4400" }, false],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ origin: "http://localhost:4400" }, true],
    [{ origin: "http://localhost:4401" }, false],
    [{ origin: "null" }, false],
  ])("with %j comes from a page of this server: %s", (headers, expected) => {
    expect(isSameOrigin(new Headers({ host: "localhost:4400", ...headers }))).toBe(expected);
  });
});
