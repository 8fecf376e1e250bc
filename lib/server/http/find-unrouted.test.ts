import { expect, it } from "vitest";
import { findUnrouted } from "./find-unrouted.ts";

const routes = [
  { method: "GET", path: "/api/v1/nodes/{nodeId}" },
  { method: "GET", path: "/api/v1/annotations" },
  { method: "POST", path: "/api/v1/annotations" },
  { method: "POST", path: "/api/v1/raw" },
];

it.each([
  ["GET", "/api/v1/nodes/2", undefined],
  ["HEAD", "/api/v1/nodes/2", undefined],
  ["OPTIONS", "/api/v1/raw", undefined],
  ["GET", "/api/v1/annotations/", undefined],
  ["GET", "/nodes/2/nope", undefined],
  ["GET", "/apiary", undefined],
  ["GET", "/api/v1/nodes/2/nope", "not_found"],
  ["POST", "/api/v1/nodes/", "not_found"],
  ["GET", "/api", "not_found"],
  ["DELETE", "/api/v1/nodes/2", "method_not_allowed"],
  ["GET", "/api/v1/raw", "method_not_allowed"],
])("%s %s: %s", (method, path, code) => {
  expect(findUnrouted({ method, path }, routes)?.error.code).toBe(code);
});

it("says which methods an address has", () => {
  const found = findUnrouted({ method: "PUT", path: "/api/v1/annotations" }, routes);
  expect(found?.allow).toEqual(["GET", "POST", "HEAD", "OPTIONS"]);
  expect(found?.error.message).toContain("not PUT");
});
