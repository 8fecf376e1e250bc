import { describe, expect, it } from "vitest";
import { bootBeforePath, earlierPath, readCompareForm, writeCompareForm } from "./compare-address.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const choices = {
  nodes: [
    { nodeId: 12, name: "magnesia" },
    { nodeId: 15, name: "a, b" },
  ],
  cohorts: [],
  marks: [],
};
const view = { zone: "UTC", nowMs, timezone: "utc" };
const formOf = (path: string) => {
  const search = new URL(path, "http://x").searchParams;
  return readCompareForm((name) => search.getAll(name), choices, "UTC", nowMs);
};

describe("addresses of the compare page", () => {
  it("keep what follows the clock relative, and move a moment by days", () => {
    const window = { fromMs: nowMs - 6 * 3_600_000, toMs: nowMs };
    expect(earlierPath(12, { from: "now-6h", to: "now", timezone: "utc" }, window)).toBe(
      "/compare?a=12&b=12&from=now-6h&to=now&a.from=now-6h-1d&a.to=now-1d&timezone=utc",
    );
    const fixed = { from: String(window.fromMs), to: "2026-12-03T14:20Z", timezone: "browser" };
    expect(earlierPath(12, fixed, window, 7)).toContain(`a.to=${nowMs - 7 * 86_400_000}`);
    expect(bootBeforePath(12, 99, "utc")).toBe("/compare?a=12&b=12&align=boot&a.to=99&timezone=utc");
  });
  it("fill the controls and come back from them", () => {
    const path =
      "/compare?a=12&a=label.role%3Dworker&b=15&from=now-6h&a.from=now-30h&to=now&a.to=now-1d&timezone=utc";
    const form = formOf(path);
    expect(form.a).toEqual({ who: "magnesia, label.role=worker", from: "now-30h", to: "now-1d" });
    // A name with a comma stands as its id, because commas part names.
    expect(form.b.who).toBe("15");
    const written = writeCompareForm(form, choices, view);
    expect(written.ok && formOf(written.path)).toEqual(form);
  });
  it("show a moment as one types it, and read what is typed", () => {
    const form = formOf(`/compare?a=12&b=12&from=${nowMs}&to=now`);
    expect(form.b.from).toBe("2026-12-03 14:20");
    expect(writeCompareForm(form, choices, view)).toMatchObject({
      ok: true,
      path: expect.stringContaining(`from=${nowMs}`) as string,
    });
  });
  it("carry only what the clock needs", () => {
    const boot = { ...formOf("/compare?a=12&b=12"), align: "boot" as const };
    expect(writeCompareForm(boot, choices, view)).toEqual({
      ok: true,
      path: "/compare?a=12&b=12&align=boot&to=now&timezone=utc",
    });
    expect(writeCompareForm({ ...boot, align: "mark", mark: "7" }, choices, view)).toEqual({
      ok: true,
      path: "/compare?a=12&b=12&align=mark&mark=7&timezone=utc",
    });
  });
  it("name the control that cannot be read", () => {
    const form = formOf("/compare?a=12&b=12");
    const wrong = (change: object) => writeCompareForm({ ...form, ...change }, choices, view);
    expect(wrong({ a: { ...form.a, who: "nobody" } })).toMatchObject({ field: "a.who" });
    expect(wrong({ b: { ...form.b, who: " , " } })).toMatchObject({ field: "b.who" });
    expect(wrong({ a: { ...form.a, from: "soonish" } })).toMatchObject({ field: "a.from" });
    expect(wrong({ b: { ...form.b, to: "now-7q" } })).toMatchObject({ field: "b.to" });
    expect(wrong({ align: "mark" })).toMatchObject({ field: "mark" });
  });
});
