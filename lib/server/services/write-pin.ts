import { MAX_PARTS, type CreatePin, type Pin, type UpdatePin } from "#lib/contracts/investigation.ts";
import { AppError } from "#lib/errors.ts";
import {
  hidePart,
  insertPin,
  listPins,
  orderPins,
  replacePin,
  type PinFields,
  type PinRow,
} from "#lib/server/data/investigation-parts.ts";
import { withRetry } from "#lib/server/data/transaction.ts";
import type { Context } from "./context.ts";
import { planPin } from "./create-investigation.ts";
import { describePin } from "./describe-investigation.ts";
import { findEditableInvestigation } from "./find-editable-investigation.ts";
import { refuseUnknownPins } from "./find-unknown-references.ts";
import {
  creationOf,
  differing,
  removalOf,
  versionConflict,
  writeInvestigation,
} from "./write-investigation.ts";

const subjectOf = ({ number }: Pick<PinRow, "number">) => `pin ${number}`;

/**
 * Pins a view under the next number, last in order. A window that follows the clock becomes the one that it is now.
 * @throws AppError `not_found`, `forbidden`, `unprocessable`.
 */
export async function addPin({
  ctx,
  input: { investigationId, pin },
}: {
  ctx: Context;
  input: { investigationId: number; pin: CreatePin };
}): Promise<Pin> {
  await findEditableInvestigation(ctx, investigationId);
  const { fields } = planPin(pin, ctx.now());
  await refuseUnknownPins(ctx, [{ address: fields.address, path: "address" }]);
  // Two pins at once want the same number: the second takes the next.
  const row = await withRetry(() => storePin(ctx, investigationId, fields), ["P2002"]);
  return describePin(row);
}

function storePin(
  ctx: Context,
  investigationId: number,
  fields: Omit<PinFields, "position">,
): Promise<PinRow> {
  return writeInvestigation(ctx, async (tables, writer) => {
    if ((await listPins(tables, investigationId)).length >= MAX_PARTS)
      throw new AppError("unprocessable", `An investigation holds at most ${MAX_PARTS} pins.`);
    const made = await insertPin(tables, investigationId, fields, writer);
    const change = {
      ...creationOf(subjectOf(made), ["kind", "address", "caption"], made),
      logged: `pinned ${made.number}${made.caption === "" ? "" : `: ${made.caption}`}`,
    };
    return { result: made, investigationId, change };
  });
}

async function findPin(ctx: Context, investigationId: number, number: number) {
  await findEditableInvestigation(ctx, investigationId);
  const pins = await listPins(ctx.db.prisma, investigationId);
  const found = pins.find((each) => each.number === number);
  if (found === undefined)
    throw new AppError("not_found", `There is no pin ${number} in investigation ${investigationId}.`);
  return { found, pins };
}

/**
 * Changes the caption of a pin, or its place among the others.
 * @throws AppError `not_found`, `forbidden`; `conflict` with both when the version is an older one.
 */
export async function changePin({
  ctx,
  input: { investigationId, number, changes },
}: {
  ctx: Context;
  input: { investigationId: number; number: number; changes: UpdatePin };
}): Promise<Pin> {
  const { found, pins } = await findPin(ctx, investigationId, number);
  if (changes.version !== found.version) throw versionConflict("pin", describePin(found), changes);
  const others = pins.filter((each) => each !== found);
  const place = pins.indexOf(found);
  const wanted = Math.min(changes.position ?? place, others.length);
  const fields = { caption: changes.caption?.trim() ?? found.caption, position: wanted };
  const change = differing(["caption", "position"], { caption: found.caption, position: place }, fields);
  if (change === undefined) return describePin(found);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const replaced = await replacePin(tables, found.pinId, changes.version, fields, writer);
    if (replaced === undefined) throw versionConflict("pin", describePin(found), changes);
    await orderPins(
      tables,
      others.toSpliced(wanted, 0, found).map(({ pinId }) => pinId),
    );
    const told = { subject: subjectOf(found), action: "changed" as const, ...change };
    return { result: replaced, investigationId, change: told };
  });
  return describePin(row);
}

/**
 * Takes a pin away; its number is not given again, and the history keeps what it showed.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function removePin({
  ctx,
  input: { investigationId, number },
}: {
  ctx: Context;
  input: { investigationId: number; number: number };
}): Promise<void> {
  const { found } = await findPin(ctx, investigationId, number);
  await writeInvestigation(ctx, async (tables, { nowMs }) => {
    if (!(await hidePart(tables, "pin", found.pinId, nowMs)))
      throw new AppError("not_found", `There is no pin ${number} in investigation ${investigationId}.`);
    const change = {
      ...removalOf(subjectOf(found), ["kind", "address", "caption", "content"], found),
      logged: `took pin ${number} away`,
    };
    return { result: undefined, investigationId, change };
  });
}
