import type { Token } from "#lib/contracts/token.ts";

const unitMs: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d`, `12h`, `52w` in milliseconds; undefined for anything else, zero, and more than ten years. */
export function parseLifetimeMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const lifetimeMs = Number(count) * (unitMs[unit ?? ""] ?? Number.NaN);
  return lifetimeMs > 0 && lifetimeMs <= 3_653 * 86_400_000 ? lifetimeMs : undefined;
}

function state(token: Token, nowMs: number): string {
  if (token.revokedAt !== null) return "revoked";
  if (token.expiresAt !== null && token.expiresAt <= nowMs) return "expired";
  return "in use";
}

const day = (atMs: number | null): string =>
  atMs === null ? "-" : new Date(atMs).toISOString().slice(0, 16) + "Z";

/** The tokens as a table of plain text, times in UTC. `nowMs` is epoch milliseconds. */
export function formatTokenTable(tokens: readonly Token[], nowMs: number): string {
  if (tokens.length === 0) return "There are no tokens.\n";
  const rows = [
    ["id", "state", "prefix", "cluster", "name", "scopes", "expires", "last used"],
    ...tokens.map((each) => [
      String(each.tokenId),
      state(each, nowMs),
      `pl_${each.prefix}`,
      each.cluster ?? "all",
      each.name,
      each.scopes.join(","),
      each.expiresAt === null ? "never" : day(each.expiresAt),
      day(each.lastUsedAt),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
