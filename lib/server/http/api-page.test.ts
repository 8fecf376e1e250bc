import { expect, it } from "vitest";
import { apiPage } from "./api-page.ts";

const page = apiPage();

it("describes every endpoint with what goes in and what comes out", () => {
  const ingest = page.endpoints.find(({ path }) => path === "/api/v1/snapshots");
  expect(ingest?.access).toBe("a token with scope snapshots:write");
  expect(ingest?.body).toContainEqual({
    name: "meminfo",
    depth: 0,
    type: "object",
    required: true,
    description: "/proc/meminfo; kB, HugePages_* are counts",
  });
  expect(ingest?.answer.map(({ name, depth }) => [name, depth])).toEqual(
    expect.arrayContaining([
      ["rejected", 0],
      ["code", 1],
    ]),
  );
  const nodes = page.endpoints.find(({ path }) => path === "/api/v1/nodes");
  expect(nodes?.parameters.find(({ name }) => name === "sort")?.description).toBe('Default "leaks".');
  expect(nodes?.answer.find(({ name }) => name === "trend")?.type).toContain("object");
  for (const { path, method, answer, parameters } of page.endpoints) {
    const isText = path === "/metrics" || (method === "GET" && path.endsWith(".csv"));
    // Answered 204, or by leading back to the page of the link.
    const isEmpty =
      method === "DELETE" || /^\/api\/v1\/(?:write|password|people\/\{personId\}|shares\/unlock)$/.test(path);
    if (!isEmpty && !isText) expect(answer, path).not.toEqual([]);
    for (const { type, name } of [...answer, ...parameters]) expect(type, `${path} ${name}`).not.toBe("any");
  }
});

it("has an anchor for each type of problem", () => {
  expect(page.problems.map(({ id }) => id)).toContain("problem-rate_limited");
});
