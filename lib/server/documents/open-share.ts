import type { CloserReading, EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import { summaryReferences } from "#lib/charts/share-picture.ts";
import type { ReadEffects } from "#lib/charts/share-picture.ts";
import { promised } from "#lib/charts/shared-document.ts";
import type { SharedDocument, SharedHead } from "#lib/charts/shared-document.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import { createRedactor } from "#lib/domain/redaction/redact-text.ts";
import { AppError } from "#lib/errors.ts";
import type { Database } from "#lib/server/data/client.ts";
import { countShareUse, findFrozenContent, findOpenShare, type ShareRow } from "#lib/server/data/shares.ts";
import { isUnlocked, shareTokenHash } from "#lib/server/services/share-format.ts";
import { hashOf } from "./share-investigation.ts";
import type { ShareReader } from "./share-reader.ts";
import { openShareReader } from "./open-share-reader.ts";
import { startReading } from "./start-reading.ts";

/** What whoever has the token of a link gets to see. Views and figures come when they were read. */
export type OpenedShare =
  | { readonly kind: "locked" }
  | {
      readonly kind: "open";
      readonly head: SharedHead;
      readonly readings: Readonly<Record<number, Promise<PinReading>>>;
      readonly effects: Readonly<Record<string, Promise<EffectReading>>>;
      /** Of a frozen one; undefined of a live one. */
      readonly frozen: { readonly atMs: number; readonly contentHash: string } | undefined;
    };

/** Views of a live link that are read at once: the database answers one while another is computed. */
const AT_ONCE = 2;

/** Who asks for a link, and for how long a silent node is not called so. */
export interface ShareVisit {
  readonly db: Database;
  readonly now: () => number;
  readonly silentAfterMs: number;
  readonly token: string;
  /** What the browser keeps that gave the password. */
  readonly key: string | undefined;
}

/** The row of a link that can be opened, and whether this visitor may see it. */
async function findShare({ db, now, token, key }: ShareVisit) {
  const row = await findOpenShare(db.prisma, shareTokenHash(token), now());
  return row === undefined ? undefined : { row, unlocked: isUnlocked(row, key) };
}

/**
 * Opens a link and counts that; undefined for a token that nothing can be opened with, whatever the reason.
 * @param byProgram whether a program asks, to draw a preview.
 */
export async function openShare(visit: ShareVisit, byProgram: boolean): Promise<OpenedShare | undefined> {
  const found = await findShare(visit);
  if (found?.unlocked !== true) return found && { kind: "locked" };
  const { db, now } = visit;
  await countShareUse(db.prisma, found.row.shareId, { byProgram, atMs: now() });
  return open(visit, found.row);
}

/** What a preview of a link shows. */
interface SharePeek {
  readonly head: SharedHead;
  /** The first. */
  readonly chart: PinReading | undefined;
  /** Those that the conclusion names. */
  readonly effects: ReadEffects;
}

/**
 * What a preview of a link shows, which is no use of it. Undefined where nothing can be opened, or a password is missing.
 */
export async function peekShare(visit: ShareVisit): Promise<SharePeek | undefined> {
  const found = await findShare(visit);
  if (found?.unlocked !== true) return undefined;
  const { row } = found;
  const chartOf = ({ pins }: SharedHead) => pins.find(({ kind }) => kind === "chart")?.number;
  if (row.kind === "frozen") {
    const { head, readings, effects } = await frozenDocument(visit.db, row);
    return { head, chart: readings[chartOf(head) ?? 0], effects };
  }
  const reader = await openLiveReader(visit, row);
  const number = chartOf(reader.head);
  const chart = number === undefined ? undefined : await reader.readPin(number);
  const effects: Record<string, EffectReading> = {};
  for (const reference of summaryReferences(reader.head))
    effects[reference] = await reader.readEffect(reference);
  return { head: reader.head, chart, effects };
}

function open(visit: ShareVisit, row: ShareRow): Promise<OpenedShare> {
  return row.kind === "frozen" ? openFrozen(visit.db, row) : openLive(visit, row);
}

/**
 * What a frozen link keeps, to the byte; undefined where nothing can be opened, or it is not frozen, or not unlocked.
 */
export async function readFrozenShare(visit: ShareVisit): Promise<string | undefined> {
  const found = await findShare(visit);
  if (found === undefined || !found.unlocked || found.row.kind !== "frozen") return undefined;
  return frozenContent(visit.db, found.row);
}

/**
 * A closer look at a chart of a live link, which is no use of it; undefined where nothing can be opened, or a password is missing, or
 * the link is frozen: that shows the points that it keeps.
 */
export async function readCloserShare(
  visit: ShareVisit,
  number: number,
  part: TimeWindow,
): Promise<CloserReading | undefined> {
  const found = await findShare(visit);
  if (found === undefined || !found.unlocked || found.row.kind === "frozen") return undefined;
  return (await openLiveReader(visit, found.row)).readCloser(number, part);
}

/** @throws AppError `internal` when what is kept is not what was hashed: evidence that was touched is not shown. */
async function frozenContent(db: Database, { shareId, contentHash }: ShareRow): Promise<string> {
  const content = await findFrozenContent(db.prisma, shareId);
  if (content === undefined || hashOf(content) !== contentHash)
    throw new AppError("internal", `What share ${shareId} keeps is not what was frozen.`);
  return content;
}

async function frozenDocument(db: Database, row: ShareRow): Promise<SharedDocument> {
  // Written by `shareInvestigation` and, by its hash, unchanged since.
  return JSON.parse(await frozenContent(db, row)) as SharedDocument;
}

async function openFrozen(db: Database, row: ShareRow): Promise<OpenedShare> {
  const { head, readings, effects } = await frozenDocument(db, row);
  return {
    kind: "open",
    head,
    readings: promised(readings),
    effects: promised(effects),
    frozen: { atMs: row.frozenAtMs ?? head.readAtMs, contentHash: row.contentHash ?? "" },
  };
}

function openLiveReader(
  { db, now, silentAfterMs }: ShareVisit,
  { shareId, investigationId, redacted }: ShareRow,
): Promise<ShareReader> {
  const redactor = redacted ? createRedactor() : undefined;
  return openShareReader({ db, now, silentAfterMs, shareId, investigationId, redactor });
}

async function openLive(visit: ShareVisit, row: ShareRow): Promise<OpenedShare> {
  const reader = await openLiveReader(visit, row);
  return { kind: "open", head: reader.head, ...startReading(reader, AT_ONCE), frozen: undefined };
}
