import { describe, expect, it } from "vitest";
import { copiedRange, readCopiedRange } from "./copied-range.ts";

const nowMs = Date.UTC(2026, 2, 1, 12);
const window = { fromMs: Date.UTC(2026, 2, 1, 6), toMs: nowMs };

describe("a copied range", () => {
  it("keeps relative ends and writes moments as Grafana does", () => {
    expect(copiedRange({ from: "now-6h", to: "now" }, window)).toBe('{"from":"now-6h","to":"now"}');
    expect(copiedRange({ from: String(window.fromMs), to: "now" }, window)).toBe(
      '{"from":"2026-03-01T06:00:00.000Z","to":"now"}',
    );
  });

  it("is read back, from Grafana too, and out of an address", () => {
    const read = (text: string) => readCopiedRange(text, nowMs, "utc");
    expect(read('{"from":"now-6h","to":"now"}')).toEqual({ from: "now-6h", to: "now" });
    expect(read(' {"from":"2026-03-01T06:00:00.000Z","to":"2026-03-01T07:00:00.000Z"}\n')).toEqual({
      from: "2026-03-01T06:00:00.000Z",
      to: "2026-03-01T07:00:00.000Z",
    });
    expect(read('{"from":1772344800000,"to":1772348400000}')).toEqual({
      from: "1772344800000",
      to: "1772348400000",
    });
    expect(read("https://grafana.example/d/abc/nodes?var-node=a&from=now-2d&to=now-1d")).toEqual({
      from: "now-2d",
      to: "now-1d",
    });
  });

  it.each([
    "",
    "now-6h",
    "{",
    "[]",
    "null",
    '{"from":"now-6h"}',
    '{"from":{},"to":"now"}',
    '{"from":"now","to":"now-6h"}',
    "https://plumbline.example/nodes/1",
  ])("is not read out of %j", (text) => {
    expect(readCopiedRange(text, nowMs, "utc")).toBeUndefined();
  });
});
