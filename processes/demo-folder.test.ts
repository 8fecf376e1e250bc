import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDemoFolder } from "./demo-folder.ts";

const DAY_MS = 24 * 3_600_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-demo-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a folder with anything else in it is left alone", () => {
  writeFileSync(join(folder, "database.json"), "real");
  expect(() => prepareDemoFolder(folder, 0)).toThrow("no demonstration");
  expect(existsSync(join(folder, "database.json"))).toBe(true);
});

test("what was filled is kept for three days, what was broken off is not", () => {
  const data = join(folder, "postgres-18");
  expect(prepareDemoFolder(folder, 0).isFilled).toBe(false);
  writeFileSync(data, "half");
  prepareDemoFolder(folder, 0).noteFilled(0);
  expect(existsSync(data)).toBe(false);
  writeFileSync(data, "whole");
  expect(prepareDemoFolder(folder, 2 * DAY_MS).isFilled).toBe(true);
  expect(existsSync(data)).toBe(true);
  expect(prepareDemoFolder(folder, 4 * DAY_MS).isFilled).toBe(false);
  expect(existsSync(data)).toBe(false);
});
