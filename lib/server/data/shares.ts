import type { Share } from "#lib/contracts/share.ts";
import type { Tables } from "./records.ts";

/** A stored link; times in epoch milliseconds. Its token is not in it. */
export interface ShareRow {
  shareId: number;
  investigationId: number;
  tokenHash: string;
  kind: Share["kind"];
  redacted: boolean;
  passwordHash: string | null;
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  uses: number;
  previews: number;
  lastUsedAtMs: number | null;
  partsTotal: number | null;
  partsDone: number | null;
  frozenAtMs: number | null;
  contentHash: string | null;
}

const MAX_SHARES = 500;

const select = {
  id: true,
  investigationId: true,
  tokenHash: true,
  kind: true,
  redacted: true,
  passwordHash: true,
  createdBy: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  uses: true,
  previews: true,
  lastUsedAt: true,
  partsTotal: true,
  partsDone: true,
  frozenAt: true,
  contentHash: true,
} as const;

interface Selected {
  id: number;
  investigationId: number;
  tokenHash: string;
  kind: string;
  redacted: boolean;
  passwordHash: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  uses: number;
  previews: number;
  lastUsedAt: Date | null;
  partsTotal: number | null;
  partsDone: number | null;
  frozenAt: Date | null;
  contentHash: string | null;
}

function toShare({
  id,
  kind,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
  frozenAt,
  ...rest
}: Selected): ShareRow {
  return {
    ...rest,
    shareId: id,
    kind: kind === "frozen" ? "frozen" : "live",
    createdAtMs: createdAt.getTime(),
    expiresAtMs: expiresAt?.getTime() ?? null,
    revokedAtMs: revokedAt?.getTime() ?? null,
    lastUsedAtMs: lastUsedAt?.getTime() ?? null,
    frozenAtMs: frozenAt?.getTime() ?? null,
  };
}

/** Stores a link by the hash of its token. */
export async function insertShare(
  tables: Pick<Tables, "shareLink">,
  {
    createdAtMs,
    expiresAtMs,
    ...given
  }: Pick<
    ShareRow,
    | "investigationId"
    | "tokenHash"
    | "kind"
    | "redacted"
    | "passwordHash"
    | "createdBy"
    | "createdAtMs"
    | "expiresAtMs"
  >,
): Promise<ShareRow> {
  const row = await tables.shareLink.create({
    data: {
      ...given,
      createdAt: new Date(createdAtMs),
      expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs),
    },
    select,
  });
  return toShare(row);
}

/** Links of an investigation, newest first. */
export async function listShares(
  tables: Pick<Tables, "shareLink">,
  investigationId: number,
): Promise<ShareRow[]> {
  const rows = await tables.shareLink.findMany({
    where: { investigationId, kind: { in: ["live", "frozen"] } },
    orderBy: { id: "desc" },
    take: MAX_SHARES,
    select,
  });
  return rows.map(toShare);
}

const notEnded = (nowMs: number) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }],
});

/** Links that answer: a live one only while its investigation stands, a frozen one once it is whole. */
const answering = (nowMs: number) => ({
  AND: [
    notEnded(nowMs),
    {
      OR: [
        { kind: "live", investigation: { deletedAt: null } },
        { kind: "frozen", frozenAt: { not: null } },
      ],
    },
  ],
});

/** The link of a token, if it answers. */
export async function findOpenShare(
  tables: Pick<Tables, "shareLink">,
  tokenHash: string,
  nowMs: number,
): Promise<ShareRow | undefined> {
  const row = await tables.shareLink.findFirst({ where: { tokenHash, ...answering(nowMs) }, select });
  return row === null ? undefined : toShare(row);
}

/** A link that answers, and what it is of. */
export interface OpenShareRow {
  share: ShareRow;
  title: string;
  deletedAtMs: number | null;
}

/** Links of all investigations that answer, newest first, and how many there are. */
export async function listOpenShares(
  tables: Pick<Tables, "shareLink">,
  { nowMs, limit, offset }: Record<"nowMs" | "limit" | "offset", number>,
): Promise<{ rows: OpenShareRow[]; total: number }> {
  const where = answering(nowMs);
  const [rows, total] = await Promise.all([
    tables.shareLink.findMany({
      where,
      orderBy: { id: "desc" },
      take: limit,
      skip: offset,
      select: { ...select, investigation: { select: { title: true, deletedAt: true } } },
    }),
    tables.shareLink.count({ where }),
  ]);
  return {
    rows: rows.map(({ investigation: { title, deletedAt }, ...row }) => ({
      share: toShare(row),
      title,
      deletedAtMs: deletedAt?.getTime() ?? null,
    })),
    total,
  };
}

/** Gives an open link another token; undefined when it is not open. */
export async function replaceShareToken(
  tables: Pick<Tables, "shareLink">,
  {
    investigationId,
    shareId,
    tokenHash,
    nowMs,
  }: Record<"investigationId" | "shareId" | "nowMs", number> & {
    tokenHash: string;
  },
): Promise<ShareRow | undefined> {
  const [row] = await tables.shareLink.updateManyAndReturn({
    where: { id: shareId, investigationId, ...notEnded(nowMs) },
    data: { tokenHash },
    select,
  });
  return row === undefined ? undefined : toShare(row);
}

/** Ends a link; false when there is none that is not ended already. */
export async function endShare(
  tables: Pick<Tables, "shareLink">,
  { investigationId, shareId, nowMs }: Record<"investigationId" | "shareId" | "nowMs", number>,
): Promise<boolean> {
  const { count } = await tables.shareLink.updateMany({
    where: { id: shareId, investigationId, revokedAt: null },
    data: { revokedAt: new Date(nowMs) },
  });
  return count > 0;
}

/** Ends all links of an investigation that are not ended already; returns their ids. */
export async function endSharesOf(
  tables: Pick<Tables, "shareLink">,
  investigationId: number,
  nowMs: number,
): Promise<number[]> {
  const rows = await tables.shareLink.updateManyAndReturn({
    where: { investigationId, revokedAt: null },
    data: { revokedAt: new Date(nowMs) },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Counts that a link was opened by somebody, or looked at by a program. */
export async function countShareUse(
  tables: Pick<Tables, "shareLink">,
  shareId: number,
  { byProgram, atMs }: { byProgram: boolean; atMs: number },
): Promise<void> {
  await tables.shareLink.updateMany({
    where: { id: shareId },
    data: byProgram ? { previews: { increment: 1 } } : { uses: { increment: 1 }, lastUsedAt: new Date(atMs) },
  });
}

/** Says how much of a share is copied. */
export async function setShareProgress(
  tables: Pick<Tables, "shareLink">,
  shareId: number,
  parts: { partsDone: number; partsTotal: number },
): Promise<void> {
  await tables.shareLink.updateMany({ where: { id: shareId }, data: parts });
}

/** Keeps what a frozen share shows; from now on it can be opened. Belongs into a transaction. */
export async function keepFrozenShare(
  tables: Pick<Tables, "shareLink" | "frozenShare">,
  shareId: number,
  { content, contentHash, frozenAtMs }: { content: string; contentHash: string; frozenAtMs: number },
): Promise<ShareRow> {
  await tables.frozenShare.create({ data: { shareId, content }, select: { shareId: true } });
  const row = await tables.shareLink.update({
    where: { id: shareId },
    data: { contentHash, frozenAt: new Date(frozenAtMs) },
    select,
  });
  return toShare(row);
}

/** What a frozen share keeps; undefined where it keeps nothing. */
export async function findFrozenContent(
  tables: Pick<Tables, "frozenShare">,
  shareId: number,
): Promise<string | undefined> {
  const row = await tables.frozenShare.findUnique({ where: { shareId }, select: { content: true } });
  return row?.content;
}
