import { canonicalJson } from "#lib/contracts/canonical-json.ts";
import type { InvestigationFile } from "#lib/contracts/investigation-content.ts";
import type { Investigation } from "#lib/contracts/investigation.ts";
import { AppError } from "#lib/errors.ts";
import { insertImportedParts, insertInvestigationImport } from "#lib/server/data/investigation-imports.ts";
import { insertInvestigation } from "#lib/server/data/investigations.ts";
import { actorName, type Context } from "#lib/server/services/context.ts";
import { describeInvestigation } from "#lib/server/services/describe-investigation.ts";
import { creationOf, writeInvestigation } from "#lib/server/services/write-investigation.ts";
import { importedAuthor } from "./imported-investigation.ts";
import { hashOf } from "./share-investigation.ts";

/**
 * Takes in an investigation that another Plumbline wrote down. It concerns no node of this one: its views show the data that came
 * with it.
 * @throws AppError `unprocessable` when the content is not what was hashed.
 */
export async function importInvestigation({
  ctx,
  input: file,
}: {
  ctx: Context;
  input: InvestigationFile;
}): Promise<Investigation> {
  const { content, contentHash, origin, readAt } = file;
  if (hashOf(canonicalJson(content)) !== contentHash) {
    throw new AppError("unprocessable", "The content of the file was changed after it was written.", {
      issues: [{ path: "contentHash", message: "expected the SHA-256 of the content" }],
    });
  }
  const { head } = content;
  const row = await writeInvestigation(ctx, async (tables, { actor, nowMs }) => {
    const author = { actor: importedAuthor(head.openedBy), nowMs: head.openedAt };
    const made = await insertInvestigation(
      tables,
      {
        title: head.title,
        status: head.status,
        scope: { nodes: [] },
        nodeIds: [],
        windowFromMs: head.window.from,
        windowToMs: head.window.to,
        conclusion: head.conclusion,
        text: head.text,
        people: head.people,
      },
      author,
    );
    const { investigationId } = made;
    const named = <Part extends { createdBy: string }>(part: Part): Part => ({
      ...part,
      createdBy: importedAuthor(part.createdBy),
    });
    const parts = { ...head, pins: head.pins.map(named), entries: head.entries.map(named) };
    await insertImportedParts(tables, investigationId, parts, author);
    await insertInvestigationImport(tables, investigationId, {
      origin,
      readAtMs: readAt,
      contentHash,
      importedBy: actorName(ctx.actor),
      importedAtMs: nowMs,
      content: canonicalJson(file),
    });
    const change = {
      ...creationOf("investigation", ["title", "conclusion", "text", "people"], made),
      logged: `imported the investigation, read ${new Date(readAt).toISOString()} from ${origin ?? "where names are replaced"}, SHA-256 ${contentHash}`,
    };
    return { result: { ...made, updatedBy: actor, updatedAtMs: nowMs }, investigationId, change };
  });
  return describeInvestigation(ctx, row);
}
