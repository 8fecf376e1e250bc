import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { PEER_HEADER, readPeer } from "#lib/server/http/peer.ts";
import { createWebServer, type WebServer, type WebServerParts } from "./web-server.ts";

let web: WebServer | undefined;

afterEach(async () => {
  await web?.drain(100);
  web = undefined;
});

async function serve(parts: Partial<WebServerParts> = {}): Promise<string> {
  web = createWebServer({
    pages: async (_request, response) => void response.end("a page"),
    ingest: {
      "/api/v1/snapshots": async () =>
        new Response("{}", { headers: { "content-type": "application/json" } }),
    },
    files: [
      {
        path: "/collector.sh",
        contentType: "text/x-shellscript",
        body: Buffer.from("#!/bin/sh\n"),
        sha256: "f1e2",
      },
    ],
    apiRoutes: [{ method: "GET", path: "/api/v1/nodes" }],
    personOf: async (headers) => (readPeer(headers).local ? { kind: "local", name: "local" } : undefined),
    onError: () => undefined,
    ...parts,
  });
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
  return `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
}

describe("files that nodes begin with", () => {
  it("are open to everybody, whole, and to reading alone", async () => {
    const base = await serve();
    const headers = { "x-forwarded-for": "192.0.2.7" };
    const file = await fetch(`${base}/collector.sh`, { headers });
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("text/x-shellscript; charset=utf-8");
    expect(file.headers.get("etag")).toBe('"f1e2"');
    expect(await file.text()).toBe("#!/bin/sh\n");
    const head = await fetch(`${base}/collector.sh`, { method: "HEAD", headers });
    expect(head.headers.get("content-length")).toBe("10");
    expect((await fetch(`${base}/collector.sh`, { method: "POST", headers })).status).toBe(403);
    const beside = await fetch(`${base}/collector.sh/..%2fsecret`, { headers, redirect: "manual" });
    expect(beside.status).toBe(303);
  });
});

describe("pages", () => {
  it("come with the headers that keep other sites out, and a fresh nonce each time", async () => {
    const seen: (string | undefined)[] = [];
    const base = await serve({
      pages: async (request, response) => {
        seen.push(request.headers["content-security-policy"] as string | undefined);
        response.end("a page");
      },
    });
    const first = await fetch(base);
    await fetch(base);
    const policy = first.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{24}'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(seen[0]).toBe(policy);
    expect(seen[1]).not.toBe(policy);
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    expect(first.headers.get("referrer-policy")).toBe("same-origin");
    expect(first.headers.has("x-powered-by")).toBe(false);
  });

  it.each([
    ["br", "br"],
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ])("are compressed for a client that takes %s", async (accepted, encoding) => {
    const text = "slab_unreclaimable ".repeat(500);
    const base = await serve({
      pages: async (_request, response) => {
        response.setHeader("content-type", "application/json");
        response.end(text);
      },
    });
    const answered = await fetch(base, { headers: { "accept-encoding": accepted } });
    expect(answered.headers.get("content-encoding")).toBe(encoding);
    expect(answered.headers.get("vary")).toContain("Accept-Encoding");
    expect(await answered.text()).toBe(text);
  });

  it("lend their icon to whoever asks for the old one", async () => {
    const answered = await fetch(`${await serve()}/favicon.ico`, { redirect: "manual" });
    expect([answered.status, answered.headers.get("location")]).toEqual([302, "/icon.svg"]);
  });

  it("get a peer that the caller cannot invent", async () => {
    let value: string | undefined;
    const base = await serve({
      pages: async (request, response) => {
        value = String(request.headers[PEER_HEADER]);
        response.end();
      },
    });
    await fetch(base, { headers: { [PEER_HEADER]: "x local 203.0.113.9" } });
    expect(readPeer(new Headers({ [PEER_HEADER]: value ?? "" }))).toEqual({
      address: "127.0.0.1",
      local: true,
    });
  });

  it("are not what an API answers with that has no such address or method", async () => {
    const base = await serve();
    const nowhere = await fetch(`${base}/api/v1/nope`);
    expect(nowhere.status).toBe(404);
    expect(nowhere.headers.get("content-type")).toBe("application/problem+json");
    expect(await nowhere.json()).toMatchObject({ status: 404, code: "not_found" });
    const refused = await fetch(`${base}/api/v1/nodes`, { method: "DELETE" });
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await refused.json()).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(await (await fetch(`${base}/api/v1/nodes`)).text()).toBe("a page");
  });

  it("lead a stranger to the page that signs in, and back", async () => {
    const base = await serve();
    const answer = await fetch(`${base}/nodes/7?from=1&to=2`, {
      headers: { "x-forwarded-for": "203.0.113.9" },
      redirect: "manual",
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/sign-in?next=%2Fnodes%2F7%3Ffrom%3D1%26to%3D2");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("take a session that has ended away, so that who needs none goes on", async () => {
    const base = await serve({
      personOf: async (headers) => (headers.has("cookie") ? undefined : { kind: "local", name: "local" }),
    });
    const cookie = "plumbline.session_token=a.b";
    const answer = await fetch(base, { headers: { cookie }, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in"]);
    expect(answer.headers.get("set-cookie")).toMatch(/^plumbline\.session_token=; Path=\/; Max-Age=0/);
    expect((await fetch(base, { redirect: "manual" })).status).toBe(200);
  });

  it("say what role they are for", async () => {
    const base = await serve({ personOf: async () => ({ kind: "anonymous" }) });
    const answer = await fetch(`${base}/add-nodes`);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("for administrators");
  });

  it("never see a router state that they would fail on", async () => {
    const base = await serve();
    const asked = async (state: string) =>
      (await fetch(`${base}/nowhere`, { headers: { rsc: "1", "next-router-state-tree": state } })).status;
    expect(await asked("x")).toBe(400);
    expect(await asked("%5B%22%22%2C%7B%7D%5D")).toBe(200);
  });

  it("that fail tell the client nothing of it", async () => {
    const errors: unknown[] = [];
    const base = await serve({
      pages: async () => Promise.reject(new Error("the password is x")),
      onError: (error) => errors.push(error),
    });
    const answer = await fetch(base);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe("Internal error.\n");
    expect(errors).toHaveLength(1);
  });
});

describe("ingest", () => {
  it("is handed the request as it came, from any address, without the page framework", async () => {
    const base = await serve({
      pages: async () => Promise.reject(new Error("not for pages")),
      ingest: Object.fromEntries(
        ["/api/v1/snapshots", "/api/v1/raw"].map((path) => [
          path,
          async (request: Request) =>
            Response.json(
              {
                url: new URL(request.url).pathname,
                token: request.headers.get("authorization"),
                body: await request.text(),
              },
              { status: 207 },
            ),
        ]),
      ),
    });
    for (const path of ["/api/v1/snapshots", "/api/v1/raw"]) {
      const answer = await fetch(base + path, {
        method: "POST",
        headers: { authorization: "Bearer t", "x-forwarded-for": "203.0.113.9" },
        body: "{}",
      });
      expect(answer.status).toBe(207);
      expect(await answer.json()).toEqual({ url: path, token: "Bearer t", body: "{}" });
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("does not read a body to its end that was refused at its head", async () => {
    const base = await serve({
      ingest: { "/api/v1/snapshots": async () => new Response("no", { status: 401 }) },
    });
    let sentBytes = 0;
    const [answer] = await new Promise<[IncomingMessage]>((done, fail) => {
      const sending = httpRequest(`${base}/api/v1/snapshots`, { method: "POST" }, (response) =>
        done([response]),
      );
      sending.on("error", fail);
      const more = () => {
        if (sending.destroyed || sentBytes > 2 ** 26) return;
        sentBytes += 65_536;
        if (sending.write(Buffer.alloc(65_536))) setImmediate(more);
        else sending.once("drain", more);
      };
      more();
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers.connection).toBe("close");
    answer.destroy();
    expect(sentBytes).toBeLessThan(2 ** 26);
  });

  it("lets a client that sends it all find the answer instead of a broken pipe", async () => {
    const base = await serve({
      ingest: { "/api/v1/snapshots": async () => new Response("too large", { status: 413 }) },
    });
    for (let round = 0; round < 5; round += 1) {
      const status = await new Promise<number | undefined>((done, fail) => {
        const sending = httpRequest(`${base}/api/v1/snapshots`, { method: "POST" }, (answer) => {
          answer.resume().once("end", () => done(answer.statusCode));
        });
        sending.once("error", fail);
        sending.setHeader("content-length", 33 * 2 ** 20);
        let left = 33;
        const more = () => {
          if (left === 0) return void sending.end();
          left -= 1;
          sending.write(Buffer.alloc(2 ** 20), () => setTimeout(more, 2));
        };
        more();
      });
      expect(status).toBe(413);
    }
  });

  it("answers many at once", async () => {
    const base = await serve({
      ingest: { "/api/v1/snapshots": async (request) => new Response(await request.arrayBuffer()) },
    });
    const bodies = Array.from({ length: 50 }, (_, index) => `body ${index}`.repeat(1_000));
    const answers = await Promise.all(
      bodies.map(async (body) => (await fetch(`${base}/api/v1/snapshots`, { method: "POST", body })).text()),
    );
    expect(answers).toEqual(bodies);
  });
});

describe("hostile connections", () => {
  it("may not ask for a TRACE, on which the page framework would fail", async () => {
    const base = new URL(await serve());
    const socket = connect(Number(base.port), base.hostname);
    socket.write("TRACE /api/v1/nodes HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 405 /);
    socket.destroy();
  });

  it("get a plain refusal for a target that is no path", async () => {
    const base = await serve();
    const socket = connect(Number(new URL(base).port), "127.0.0.1");
    socket.write("GET http://other.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });
});

describe("the end", () => {
  it("answers what has begun and takes no more", async () => {
    const base = await serve({
      pages: async (_request, response) => {
        await delay(200);
        response.end("finished");
      },
    });
    const slow = fetch(base);
    await delay(50);
    const drained = web?.drain(5_000);
    const answer = await slow;
    expect(await answer.text()).toBe("finished");
    expect(answer.headers.get("connection")).toBe("close");
    await drained;
    await expect(fetch(base)).rejects.toThrow();
  });

  it("cuts what does not end within its grace", async () => {
    const base = await serve({ pages: async () => new Promise(() => undefined) });
    const hung = fetch(base);
    hung.catch(() => undefined);
    await delay(50);
    await web?.drain(100);
    await expect(hung).rejects.toThrow();
  });
});
