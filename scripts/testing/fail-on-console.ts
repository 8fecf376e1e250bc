import { afterEach, beforeEach, expect, vi } from "vitest";

/** A test that prints a warning or an error without expecting it has hidden a defect: it fails. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "console.error during the test").toEqual([]);
  expect(vi.mocked(console.warn).mock.calls, "console.warn during the test").toEqual([]);
  vi.restoreAllMocks();
});
