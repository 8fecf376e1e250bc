import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Route } from "#lib/server/http/define-route.ts";
import { openApiDocument } from "#lib/server/http/openapi.ts";
import { ROUTES } from "#lib/server/http/route-registry.ts";
import { openApiRoute } from "#lib/server/http/routes/openapi.ts";

const app = join(import.meta.dirname, "../../..");
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const document = z
  .object({
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          summary: z.string(),
          operationId: z.string(),
          responses: z.record(z.string(), z.unknown()),
        }),
      ),
    ),
  })
  .parse(JSON.parse(JSON.stringify(openApiDocument([...ROUTES, openApiRoute.facts]))));

function isRoute(value: unknown): value is Route {
  return typeof value === "function" && "facts" in value;
}

/**
 * Every exported method of every route.ts, with the address that its folder gives it. What a shared page hands over beside
 * itself is no part of the API: the page's own narrow reader reads it.
 */
async function exportedRoutes() {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith("route.ts") && !file.startsWith(join("s", "[token]")),
  );
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(join(app, file))) as Record<string, unknown>;
      const folders = relative(app, join(app, file, "..")).split("/");
      const path = `/${folders.map((each) => each.replace(/^\[(\w+)\]$/, "{$1}")).join("/")}`;
      return { path, methods: Object.entries(module).filter(([name]) => METHODS.includes(name)) };
    }),
  );
}

describe("the document", () => {
  it("has every method of every route file, under the address of its folder", async () => {
    const routes = await exportedRoutes();
    expect(routes.length).toBeGreaterThan(5);
    const found: string[] = [];
    for (const { path, methods } of routes) {
      expect(methods.length, path).toBeGreaterThan(0);
      for (const [method, route] of methods) {
        if (!isRoute(route)) throw new Error(`${method} ${path} was not made by defineRoute`);
        expect(`${route.facts.method} ${route.facts.path}`).toBe(`${method} ${path}`);
        found.push(`${method} ${path}`);
      }
    }
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(found.sort());
  });

  it("gives each operation an id of its own and tells its errors", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { responses, operationId } of operations) {
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["500", "503"]));
    }
  });
});
