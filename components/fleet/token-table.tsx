"use client";

import { useState } from "react";
import { formatMoment } from "#lib/charts/format-time.ts";
import type { Token } from "#lib/contracts/token.ts";
import { BlockRow, BlockTable, NamedCell } from "../ui/block-table.tsx";
import { Button } from "../ui/button.tsx";
import type { ColumnHeads } from "../ui/column-heads.tsx";

const HEADS: ColumnHeads = [
  "name",
  "begins with",
  "cluster",
  "may",
  "made",
  "last used",
  "standing",
  { key: "act", content: <span className="sr-only">revoke</span> },
];

function standingOf({ revokedAt, expiresAt }: Token, nowMs: number): "in use" | "revoked" | "expired" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= nowMs ? "expired" : "in use";
}

/** All tokens, newest first, without their secrets. Revoking asks once more. */
export function TokenTable({
  tokens,
  nowMs,
  onRevoke,
}: {
  readonly tokens: readonly Token[];
  readonly nowMs: number;
  readonly onRevoke: (token: Token) => Promise<void>;
}) {
  const [asked, setAsked] = useState<number>();
  if (tokens.length === 0) {
    return <p className="py-2 text-sm text-ink-2">None yet. The first one is made above.</p>;
  }
  const moment = (atMs: number | null) => (atMs === null ? "never" : formatMoment(atMs, "UTC", nowMs));
  return (
    <BlockTable region="Tokens, scrolls sideways" label="Tokens" heads={HEADS}>
      {tokens.map((token) => {
        const standing = standingOf(token, nowMs);
        return (
          <BlockRow key={token.tokenId} className={standing === "in use" ? "" : "text-ink-2"}>
            <th role="rowheader" scope="row" className="[overflow-wrap:anywhere]">
              <bdi>{token.name}</bdi>
            </th>
            <td role="cell">
              <code className="text-[11.5px]">pl_{token.prefix}</code>
            </td>
            <td role="cell" className="[overflow-wrap:anywhere]">
              <bdi>{token.cluster ?? "all"}</bdi>
            </td>
            <td role="cell">{token.scopes.join(", ")}</td>
            <NamedCell name="made">{moment(token.createdAt)}</NamedCell>
            <NamedCell name="used">{moment(token.lastUsedAt)}</NamedCell>
            <td role="cell">{standing}</td>
            <td role="cell" className="num">
              {standing !== "in use" ? null : asked === token.tokenId ? (
                <span className="inline-flex gap-1.5">
                  <Button
                    tone="danger"
                    onClick={() => {
                      setAsked(undefined);
                      void onRevoke(token);
                    }}
                  >
                    Revoke for good
                  </Button>
                  <Button onClick={() => setAsked(undefined)}>Keep</Button>
                </span>
              ) : (
                <Button aria-label={`Revoke ${token.name}`} onClick={() => setAsked(token.tokenId)}>
                  Revoke
                </Button>
              )}
            </td>
          </BlockRow>
        );
      })}
    </BlockTable>
  );
}
