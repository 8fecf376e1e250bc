import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { call, readJson } from "../api.ts";
import type { Story } from "../report.ts";

const METHODS = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "POST", "TRACE", "PROPFIND"];
const PAGES = [
  "/",
  "/docs/api",
  "/nodes/1",
  "/nodes/x",
  "/nodes/1?from=x",
  "/nowhere",
  "/_next/static/x",
  "/_next/image?url=x",
];
const IDLE_CONNECTIONS = 500;

/** Sends text as it is over one connection; the status line of the answer, or "closed". */
function raw(server: string, text: string, waitMs = 5000): Promise<string> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    const end = () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "closed");
    socket.setTimeout(waitMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", end);
  });
}

export const hostileHttp: Story = {
  name: "hostile-http",
  about: "requests that no client sends",
  async run({ stack, report }) {
    const { server } = stack;
    const token = stack.issueToken(["read", "annotations:write"], "http");
    const host = `Host: ${new URL(server).host}\r\n`;
    const close = "Connection: close\r\n";
    const requests: [string, string, string[]][] = [
      ["no Host", `GET / HTTP/1.1\r\n${close}\r\n`, ["400"]],
      ["HTTP/1.0 without Host", "GET /api/v1/tokens HTTP/1.0\r\n\r\n", ["401"]],
      [
        "two Hosts",
        `GET /api/v1/tokens HTTP/1.1\r\n${host}Host: evil.example\r\n${close}\r\n`,
        ["400", "401", "200"],
      ],
      [
        "a Host of blanks and slashes",
        `GET /api/v1/nodes HTTP/1.1\r\nHost: a b/c\r\n${close}\r\n`,
        ["400", "401"],
      ],
      [
        "an absolute address of another server",
        `GET http://evil.example/ HTTP/1.1\r\n${host}${close}\r\n`,
        ["400"],
      ],
      [
        "an address of two slashes",
        `GET //evil.example/%2e%2e HTTP/1.1\r\n${host}${close}\r\n`,
        ["400", "404", "308"],
      ],
      ["an address of broken escapes", `GET /nodes/%E0%A4%A HTTP/1.1\r\n${host}${close}\r\n`, ["400"]],
      [
        "a query of broken escapes",
        `GET /api/v1/nodes?name=%E0%A4%A&search=%ZZ HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n${close}\r\n`,
        ["200", "400"],
      ],
      ["bytes above 127", `GET /nodes/\u00ff\u00fe HTTP/1.1\r\n${host}${close}\r\n`, ["400", "404"]],
      [
        "an address of 20,000 characters",
        `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${host}${close}\r\n`,
        ["431"],
      ],
      [
        "a header of 20,000 characters",
        `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(20_000)}\r\n${close}\r\n`,
        ["431"],
      ],
      [
        "Content-Length and chunked",
        `POST /api/v1/snapshots HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        ["400"],
      ],
      [
        "two lengths",
        `POST /api/v1/snapshots HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
        ["400"],
      ],
      ["a negative length", `POST /api/v1/snapshots HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, ["400"]],
      [
        "a broken chunk",
        `POST /api/v1/annotations HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
        ["400"],
      ],
      [
        "an upgrade",
        `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        ["200", "400", "426", "closed"],
      ],
      ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, ["closed", "400", "405"]],
      ["no HTTP", "\u0016\u0003\u0001hello\r\n\r\n", ["400"]],
    ];
    for (const [what, text, expected] of requests) {
      const status = await raw(server, text);
      report.check(`${what} is answered ${expected.join(" or ")}`, expected.includes(status), status);
    }

    const { paths } = (await readJson(server, token, "/api/v1/openapi.json")) as {
      paths: Record<string, unknown>;
    };
    const failures: string[] = [];
    let asked = 0;
    for (const path of [...Object.keys(paths).map((each) => each.replace(/\{\w+\}/g, "1")), ...PAGES]) {
      for (const method of METHODS) {
        for (const headers of [
          {},
          { "content-type": "application/json" },
          { "next-action": "0".repeat(40), "content-type": "multipart/form-data; boundary=x" },
          { rsc: "1", "next-router-prefetch": "x" },
          { rsc: "1", "next-router-state-tree": "x" },
          { rsc: "1", "next-router-state-tree": "%5B1%5D" },
        ]) {
          asked += 1;
          const body = method === "HEAD" || method === "TRACE" ? undefined : "--x\r\n";
          const answer = await call(server, path, {
            method,
            token,
            headers,
            ...(body !== undefined && { body }),
          }).catch((error: unknown) => ({ status: 599, text: String(error) }));
          if (answer.status >= 500) {
            failures.push(
              `${method} ${path} ${JSON.stringify(headers)} ${answer.status} ${answer.text.slice(0, 120)}`,
            );
          }
        }
      }
    }
    report.check(
      `${asked} requests of other methods and with headers of the page framework: none makes the server fail`,
      failures.length === 0,
      failures.slice(0, 12).join("\n     "),
    );

    const { hostname, port } = new URL(server);
    const idle = Array.from({ length: IDLE_CONNECTIONS }, () => {
      const socket = net.connect(Number(port), hostname, () => socket.write("GET / HTTP/1.1\r\nX: "));
      socket.on("error", () => undefined);
      socket.resume();
      return socket;
    });
    await delay(1000);
    const sinceMs = Date.now();
    const { status } = await call(server, "/readyz");
    report.check(
      `${IDLE_CONNECTIONS} connections that never finish their headers hold nobody up`,
      status === 200 && Date.now() - sinceMs < 2000,
      `${status} after ${Date.now() - sinceMs} ms`,
    );
    const closing = Promise.all(
      idle.map(async (socket) => socket.closed || new Promise((done) => socket.once("close", done))),
    );
    const cut = await Promise.race([closing.then(() => true), delay(25_000, false)]);
    report.check("and are cut off", cut, `${((Date.now() - sinceMs) / 1000).toFixed(0)} s`);
    for (const socket of idle) socket.destroy();
  },
};
