import { describe, expect, it } from "vitest";
import { parseConfig } from "./config.ts";

describe("parseConfig", () => {
  it("fills in the defaults and takes an empty variable for unset", () => {
    expect(parseConfig({ PLUMBLINE_PORT: "", DATABASE_URL: "" })).toMatchObject({
      databaseUrl: undefined,
      host: "127.0.0.1",
      port: 4400,
      retention: { rawDays: 14, fiveMinuteDays: 90, hourDays: 730 },
      silentAfterMs: 300_000,
      logLevel: "info",
    });
  });

  it("never keeps a finer resolution longer than a coarser one", () => {
    expect(
      parseConfig({ PLUMBLINE_RETENTION_RAW_DAYS: "100", PLUMBLINE_RETENTION_1H_DAYS: "10" }).retention,
    ).toEqual({ rawDays: 100, fiveMinuteDays: 100, hourDays: 100 });
  });

  it("names every variable that is wrong", () => {
    const read = () => parseConfig({ DATABASE_URL: "mysql://x", PLUMBLINE_PORT: "high" });
    expect(read).toThrow(/DATABASE_URL: expected postgresql/);
    expect(read).toThrow(/PLUMBLINE_PORT/);
  });
});
