import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { problem } from "#lib/contracts/common.ts";
import { AppError } from "#lib/errors.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import { isDatabaseAway } from "../database-away.ts";
import { problemResponse, requestIdOf, toAppError } from "./problem.ts";

const coded = (code: string, message = "x") => Object.assign(new Error(message), { code });

describe("what is thrown", () => {
  it("becomes a problem with its status, code, issues and request id", async () => {
    const error = new AppError("unprocessable", "The body is wrong.", {
      issues: [{ path: "at", message: "expected a time" }],
    });
    const response = problemResponse(error, "request-1");
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("x-request-id")).toBe("request-1");
    expect(problem.parse(await response.json())).toEqual({
      type: "/docs/api#problem-unprocessable",
      title: "Not accepted",
      status: 422,
      detail: "The body is wrong.",
      code: "unprocessable",
      requestId: "request-1",
      errors: [{ path: "at", message: "expected a time" }],
    });
  });

  it("says when to try again and how to authenticate", () => {
    const limited = new AppError("rate_limited", "Too many.", { retryAfterSeconds: 1.2 });
    expect(problemResponse(limited, "r").headers.get("retry-after")).toBe("2");
    expect(
      problemResponse(new AppError("unauthenticated", "No."), "r").headers.get("www-authenticate"),
    ).toContain("Bearer");
  });

  it.each([
    coded("ECONNREFUSED"),
    coded("08006"),
    coded("57P01"),
    coded("P1001"),
    new Error("timeout exceeded when trying to connect"),
    new Error("Connection terminated unexpectedly"),
    new Error("outer", { cause: new Error("middle", { cause: coded("57P03") }) }),
    new AggregateError([coded("ECONNREFUSED"), coded("EHOSTUNREACH")]),
  ])("is 503 when the database is away: %s", (error) => {
    expect(isDatabaseAway(error)).toBe(true);
    const response = problemResponse(toAppError(error), "r");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
  });

  it("is 503 too when Prisma meets a database that starts up", async () => {
    const fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
    const head = Buffer.from([0x45, 0, 0, 0, 4 + fields.length]);
    const starting = createServer((socket) => {
      socket.once("data", () => socket.end(Buffer.concat([head, Buffer.from(fields)])));
    });
    await once(starting.listen(0, "127.0.0.1"), "listening");
    const { port } = starting.address() as AddressInfo;
    const db = openDatabase({ url: `postgresql://a:b@127.0.0.1:${port}/c` });
    const error: unknown = await db.prisma.apiToken.findMany().catch((reason: unknown) => reason);
    expect(toAppError(error)).toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    await closeDatabase(db);
    starting.close();
  });

  it("is the caller's fault when PostgreSQL cannot hold the value, ours otherwise, and never shown", () => {
    expect(toAppError(coded("22003")).code).toBe("unprocessable");
    expect(toAppError(coded("23505")).code).toBe("internal");
    for (const thrown of [new Error("password=hunter2"), "text", undefined, { code: 7 }]) {
      const shown = toAppError(thrown);
      expect(shown.code).toBe("internal");
      expect(shown.message).not.toContain("hunter2");
    }
    const circular = new Error("a");
    circular.cause = circular;
    expect(toAppError(circular).code).toBe("internal");
  });
});

it("takes the caller's request id only when it is a sane one", () => {
  const idFor = (value: string) =>
    requestIdOf(new Request("http://plumbline/", { headers: { "x-request-id": value } }));
  expect(idFor("collector-7.42")).toBe("collector-7.42");
  expect(idFor('"><script>')).toMatch(/^[0-9a-f-]{36}$/);
});
