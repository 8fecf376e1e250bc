import { createHash } from "node:crypto";
import type { SharedDocument } from "#lib/charts/shared-document.ts";
import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import { createRedactor } from "#lib/domain/redaction/redact-text.ts";
import type { CreateShare, MadeShare } from "#lib/contracts/share.ts";
import { appendAudit } from "#lib/server/data/audit.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { endShare, keepFrozenShare, setShareProgress, type ShareRow } from "#lib/server/data/shares.ts";
import { actorName, type Context } from "#lib/server/services/context.ts";
import { createShare } from "#lib/server/services/create-share.ts";
import { describeShare } from "#lib/server/services/share-format.ts";
import { openShareReader } from "./open-share-reader.ts";
import type { ShareReader } from "./share-reader.ts";
import { startReading } from "./start-reading.ts";

/** Views read at once: more would take the pool from everybody else. */
const AT_ONCE = 4;

/**
 * Makes a link to an investigation; a frozen one is copied before this returns, and says meanwhile how far that is.
 * @throws AppError `not_found`; `unprocessable` when it would have expired already.
 */
export async function shareInvestigation({
  ctx,
  silentAfterMs,
  input,
}: {
  ctx: Context;
  silentAfterMs: number;
  input: { investigationId: number; share: CreateShare };
}): Promise<MadeShare> {
  const { row, path } = await createShare({ ctx, input });
  const made = row.kind === "live" ? row : await freezeShare({ ctx, silentAfterMs, row });
  return { ...describeShare(made, ctx.now()), path };
}

/** Copies everything that a share shows, as it stands now. One that cannot be copied is ended. */
async function freezeShare({
  ctx,
  silentAfterMs,
  row: { shareId, investigationId, redacted },
}: {
  ctx: Context;
  silentAfterMs: number;
  row: ShareRow;
}): Promise<ShareRow> {
  const frozenAtMs = ctx.now();
  try {
    const reader = await openShareReader({
      db: ctx.db,
      now: () => frozenAtMs,
      silentAfterMs,
      shareId,
      investigationId,
      redactor: redacted ? createRedactor() : undefined,
    });
    const document = await readSharedDocument(reader, (partsDone, partsTotal) =>
      setShareProgress(ctx.db.prisma, shareId, { partsDone, partsTotal }),
    );
    const content = canonicalJson(document);
    const contentHash = hashOf(content);
    return await writeRecords(ctx.db, async (tables) => {
      const kept = await keepFrozenShare(tables, shareId, { content, contentHash, frozenAtMs });
      await appendAudit(tables, {
        atMs: ctx.now(),
        actor: actorName(ctx.actor),
        action: "share.freeze",
        subject: `share ${shareId}`,
        detail: { investigation: investigationId, contentHash },
      });
      return kept;
    });
  } catch (error) {
    await endShare(ctx.db.prisma, { investigationId, shareId, nowMs: ctx.now() });
    throw error;
  }
}

/** SHA-256 of a kept content, hexadecimal: what `sha256sum` prints of the file. */
export function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Everything that a reader can read, a few parts at once. */
export async function readSharedDocument(
  reader: ShareReader,
  onProgress: (done: number, total: number) => Promise<void> = async () => undefined,
): Promise<SharedDocument> {
  const started = startReading(reader, AT_ONCE);
  const total = Object.keys(started.readings).length + Object.keys(started.effects).length;
  let done = 0;
  let said = onProgress(done, total);
  const say = () => {
    done += 1;
    // The last word is of all: one after the other.
    said = said.then(() => onProgress(done, total));
  };
  const [readings, effects] = await Promise.all([
    settled(started.readings, say),
    settled(started.effects, say),
  ]);
  await said;
  return { version: 1, head: reader.head, readings, effects };
}

async function settled<Value>(
  started: Readonly<Record<string, Promise<Value>>>,
  onEach: () => void,
): Promise<Record<string, Value>> {
  const read = Object.entries(started).map(async ([key, reading]) => {
    const value = await reading;
    onEach();
    return [key, value] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
