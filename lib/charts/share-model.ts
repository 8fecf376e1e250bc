import type { Share } from "#lib/contracts/share.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatNumber } from "./format.ts";
import { formatMoment } from "./format-time.ts";
import type { VerdictText } from "./verdict.ts";

/** A link to an investigation, as its list says it. */
export interface ShareLine {
  readonly shareId: number;
  readonly kind: Share["kind"];
  readonly made: string;
  readonly standing: VerdictText;
  /** What more there is to know of it: until when, by which password, what is kept. */
  readonly facts: readonly string[];
  readonly opened: string;
  /** SHA-256 of what a frozen one keeps. */
  readonly contentHash: string | undefined;
  /** Whether it can be given another address, and whether it can be ended. */
  readonly isOpen: boolean;
  readonly canEnd: boolean;
}

const STANDINGS: Readonly<Record<Share["state"], VerdictText>> = {
  open: { word: "open", tone: "ok" },
  freezing: { word: "being copied", tone: "growing" },
  failed: { word: "not copied to its end", tone: "leaking" },
  expired: { word: "expired", tone: "flat" },
  revoked: { word: "revoked", tone: "flat" },
};

/** Links as lines, in the order given. */
export function shareLines(
  shares: readonly Share[],
  { zone, nowMs }: { readonly zone: string; readonly nowMs: number },
): ShareLine[] {
  const when = (atMs: number) => formatMoment(atMs, zone, nowMs);
  return shares.map((share) => ({
    shareId: share.shareId,
    kind: share.kind,
    made: `${when(share.createdAt)} by ${isolatedText(share.createdBy)}`,
    standing: STANDINGS[share.state],
    facts: [
      ...(share.state === "freezing" && share.parts
        ? [`${formatNumber(share.parts.done)} of ${formatNumber(share.parts.total)} views`]
        : []),
      ...(share.frozenAt === null ? [] : [`as of ${when(share.frozenAt)}`]),
      ...(share.redacted ? ["names replaced"] : []),
      ...(share.hasPassword ? ["with a password"] : []),
      ...(share.expiresAt === null ? [] : [`until ${when(share.expiresAt)}`]),
    ],
    opened: openedText(share, when),
    contentHash: share.contentHash ?? undefined,
    isOpen: share.state === "open",
    canEnd: share.state !== "revoked",
  }));
}

function openedText({ uses, previews, lastUsedAt }: Share, when: (atMs: number) => string): string {
  const opened =
    uses === 0
      ? "not opened yet"
      : `opened ${uses === 1 ? "once" : `${formatNumber(uses)} times`}${lastUsedAt === null ? "" : `, last ${when(lastUsedAt)}`}`;
  return previews === 0
    ? opened
    : `${opened}; previewed ${previews === 1 ? "once" : `${formatNumber(previews)} times`}`;
}
