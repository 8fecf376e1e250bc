import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { pageAccess, PAGES } from "./page-access.ts";

const app = join(import.meta.dirname, "../../../app");

it("names every page there is, and no other", () => {
  const pages = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|\/)page\.tsx$|^s\/.+\/route\.tsx?$/.test(file))
    .map((file) => {
      const folders = dirname(file)
        .split("/")
        .filter((each) => each !== "." && !/^\(.*\)$/.test(each));
      return `/${folders.map((each) => each.replace(/^\[(\w+)\]$/, "{$1}")).join("/")}`;
    });
  expect(Object.keys(PAGES).sort()).toEqual(pages.sort());
});

it("takes what it does not know for a viewer's", () => {
  expect(pageAccess("/no/such/page")).toBe("viewer");
  expect(pageAccess("/people/")).toBe("administrator");
  expect(pageAccess("/invitation/a/b")).toBe("viewer");
});
