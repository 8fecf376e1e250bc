import {
  MAX_PARTS,
  type CreateHypothesis,
  type Hypothesis,
  type UpdateHypothesis,
} from "#lib/contracts/investigation.ts";
import { AppError } from "#lib/errors.ts";
import {
  hidePart,
  insertHypothesis,
  listHypotheses,
  replaceHypothesis,
  type HypothesisFields,
} from "#lib/server/data/investigation-parts.ts";
import type { Context } from "./context.ts";
import { describeHypothesis } from "./describe-investigation.ts";
import { findEditableInvestigation } from "./find-editable-investigation.ts";
import { refuseUnknownEvidence } from "./find-unknown-references.ts";
import {
  creationOf,
  differing,
  removalOf,
  versionConflict,
  writeInvestigation,
} from "./write-investigation.ts";

const FIELDS = ["text", "state", "evidence"] as const;
const HEAD_CHARS = 200;

const subjectOf = (hypothesisId: number) => `hypothesis ${hypothesisId}`;
const headOf = (text: string) =>
  text.length > HEAD_CHARS ? `${text.slice(0, HEAD_CHARS).toWellFormed()}\u2026` : text;

/**
 * Holds a cause possible.
 * @throws AppError `not_found`, `forbidden`, `unprocessable`.
 */
export async function addHypothesis({
  ctx,
  input: { investigationId, hypothesis },
}: {
  ctx: Context;
  input: { investigationId: number; hypothesis: CreateHypothesis };
}): Promise<Hypothesis> {
  await findEditableInvestigation(ctx, investigationId);
  await refuseUnknownEvidence(ctx, investigationId, hypothesis.evidence);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    if ((await listHypotheses(tables, investigationId)).length >= MAX_PARTS)
      throw new AppError("unprocessable", `An investigation holds at most ${MAX_PARTS} hypotheses.`);
    const made = await insertHypothesis(tables, investigationId, hypothesis, writer);
    const change = creationOf(subjectOf(made.hypothesisId), FIELDS, made);
    return { result: made, investigationId, change };
  });
  return describeHypothesis(row);
}

async function findHypothesis(ctx: Context, investigationId: number, hypothesisId: number) {
  await findEditableInvestigation(ctx, investigationId);
  const all = await listHypotheses(ctx.db.prisma, investigationId);
  const found = all.find((each) => each.hypothesisId === hypothesisId);
  if (found === undefined) {
    throw new AppError(
      "not_found",
      `There is no hypothesis ${hypothesisId} in investigation ${investigationId}.`,
    );
  }
  return found;
}

/**
 * Changes text, state or evidence of a hypothesis; a new state goes to the log.
 * @throws AppError `not_found`, `forbidden`; `unprocessable` for evidence that never was there; `conflict` with both texts when the version is an older one.
 */
export async function changeHypothesis({
  ctx,
  input: { investigationId, hypothesisId, changes },
}: {
  ctx: Context;
  input: { investigationId: number; hypothesisId: number; changes: UpdateHypothesis };
}): Promise<Hypothesis> {
  const found = await findHypothesis(ctx, investigationId, hypothesisId);
  const current = describeHypothesis(found);
  const conflict = (now: Hypothesis) => versionConflict("hypothesis", now, changes);
  if (changes.version !== found.version) throw conflict(current);
  const before: HypothesisFields = current;
  const fields: HypothesisFields = {
    text: changes.text ?? current.text,
    state: changes.state ?? current.state,
    evidence: changes.evidence ?? current.evidence,
  };
  const change = differing<HypothesisFields>(FIELDS, before, fields);
  if (change === undefined) return current;
  await refuseUnknownEvidence(ctx, investigationId, fields.evidence, current.evidence);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const replaced = await replaceHypothesis(tables, hypothesisId, changes.version, fields, writer);
    if (replaced === undefined) return { result: undefined, investigationId, change: undefined };
    const told = {
      subject: subjectOf(hypothesisId),
      action: "changed" as const,
      ...change,
      typed: Object.keys(change.after).join() === "text",
      logged:
        fields.state === current.state
          ? undefined
          : `called ${fields.state === "open" ? "open again" : fields.state}: ${headOf(fields.text)}`,
    };
    return { result: replaced, investigationId, change: told };
  });
  if (row === undefined)
    throw conflict(describeHypothesis(await findHypothesis(ctx, investigationId, hypothesisId)));
  return describeHypothesis(row);
}

/**
 * Takes a hypothesis away; the history keeps it.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function removeHypothesis({
  ctx,
  input: { investigationId, hypothesisId },
}: {
  ctx: Context;
  input: { investigationId: number; hypothesisId: number };
}): Promise<void> {
  const found = await findHypothesis(ctx, investigationId, hypothesisId);
  await writeInvestigation(ctx, async (tables, { nowMs }) => {
    await hidePart(tables, "hypothesis", hypothesisId, nowMs);
    const change = removalOf(subjectOf(hypothesisId), FIELDS, found);
    return { result: undefined, investigationId, change };
  });
}
