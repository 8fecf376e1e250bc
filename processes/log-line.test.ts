import { describe, expect, it } from "vitest";
import { formatLine, shortenChildLine } from "./log-line.ts";

describe("lines of the supervisor", () => {
  it("carry the time in UTC, the part and the text", () => {
    expect(formatLine(Date.UTC(2026, 0, 2, 3, 4, 5, 678), "web", "started")).toBe(
      "2026-01-02T03:04:05Z web       started",
    );
  });

  it("shorten a JSON line and keep its fields", () => {
    const line = JSON.stringify({
      level: 50,
      time: 1,
      pid: 2,
      part: "ingest",
      msg: "refused",
      err: { message: "why" },
      nodes: 3,
    });
    expect(shortenChildLine(line)).toBe("error: ingest: refused (why) nodes=3");
    expect(shortenChildLine('{"time":"x","level":"warn","message":"keeping them","spooledBytes":5}')).toBe(
      "warn: keeping them spooledBytes=5",
    );
    expect(shortenChildLine(JSON.stringify({ level: 30, msg: "fine" }))).toBe("fine");
  });

  it("leave other text alone", () => {
    expect(shortenChildLine("   \n")).toBeUndefined();
    expect(shortenChildLine("{not json")).toBe("{not json");
    expect(shortenChildLine('{"a":1}')).toBe('{"a":1}');
  });
});
