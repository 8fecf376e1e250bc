import { describe, expect, it } from "vitest";
import { formatTokenTable, parseLifetimeMs } from "./token-text.ts";

describe("a lifetime", () => {
  it.each([
    ["12h", 43_200_000],
    ["90d", 7_776_000_000],
    ["1w", 604_800_000],
  ])("%s", (text, lifetimeMs) => {
    expect(parseLifetimeMs(text)).toBe(lifetimeMs);
  });

  it.each(["", "0d", "90", "d", "-1d", "1.5d", "99999w", "90d "])("is none: %j", (text) => {
    expect(parseLifetimeMs(text)).toBeUndefined();
  });
});

describe("the table of tokens", () => {
  it("says the state of each and lines up", () => {
    const nowMs = Date.UTC(2026, 0, 2);
    const common = { cluster: "east", createdAt: 0, lastUsedAt: null, scopes: ["snapshots:write" as const] };
    const table = formatTokenTable(
      [
        { ...common, tokenId: 1, name: "a", prefix: "aaaaaaaa", expiresAt: null, revokedAt: null },
        { ...common, tokenId: 22, name: "longer", prefix: "bbbbbbbb", expiresAt: nowMs, revokedAt: null },
        {
          ...common,
          tokenId: 3,
          name: "c",
          prefix: "cccccccc",
          expiresAt: null,
          revokedAt: 5,
          cluster: null,
        },
      ],
      nowMs,
    );
    expect(table).toBe(
      [
        "id  state    prefix       cluster  name    scopes           expires            last used",
        "1   in use   pl_aaaaaaaa  east     a       snapshots:write  never              -",
        "22  expired  pl_bbbbbbbb  east     longer  snapshots:write  2026-01-02T00:00Z  -",
        "3   revoked  pl_cccccccc  all      c       snapshots:write  never              -",
        "",
      ].join("\n"),
    );
    expect(formatTokenTable([], nowMs)).toBe("There are no tokens.\n");
  });
});
