import type { CreateInvestigation, CreatePin, Investigation } from "#lib/contracts/investigation.ts";
import { pinnedAddress } from "#lib/contracts/pin-address.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { insertPin, type PinFields } from "#lib/server/data/investigation-parts.ts";
import { insertInvestigation } from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { describeInvestigation } from "./describe-investigation.ts";
import { refuseUnknownPins } from "./find-unknown-references.ts";
import { logInvestigationEvents } from "./log-investigation-events.ts";
import { resolveScope } from "./resolve-scope.ts";
import { creationOf, writeInvestigation } from "./write-investigation.ts";

/**
 * Opens an investigation, with the pins that it begins with, and writes to its log what happened on its nodes since its window
 * begins.
 * @throws AppError `unprocessable` when the scope names what does not exist, a pin cannot be shown or is of what never was there, or the window is empty.
 */
export async function createInvestigation({
  ctx,
  input,
}: {
  ctx: Context;
  input: CreateInvestigation;
}): Promise<Investigation> {
  const nowMs = ctx.now();
  const pins = input.pins.map((each, index) => planPin(each, nowMs, `pins.${index}.`));
  await refuseUnknownPins(
    ctx,
    pins.map(({ fields: { address } }, index) => ({ address, path: `pins.${index}.address` })),
  );
  const firsts = pins.flatMap(({ fromMs }) => (fromMs === undefined ? [] : [fromMs]));
  const window = input.window ?? { from: Math.min(nowMs, ...firsts), to: null };
  const order = windowIssue(window);
  if (order !== undefined) throw new AppError("unprocessable", "The window is empty.", { issues: [order] });
  const nodeIds = await resolveScope({ ctx, scope: input.scope });
  const { title, scope, conclusion, text, people } = input;
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const made = await insertInvestigation(
      tables,
      {
        title,
        status: "open",
        scope,
        nodeIds,
        windowFromMs: window.from,
        windowToMs: window.to,
        conclusion,
        text,
        people,
      },
      writer,
    );
    for (const { fields } of pins) await insertPin(tables, made.investigationId, fields, writer);
    const change = {
      ...creationOf("investigation", ["title", "scope", "conclusion", "text", "people"], made),
      logged: "opened the investigation",
    };
    return { result: made, investigationId: made.investigationId, change };
  });
  await logInvestigationEvents({ ctx, input: { investigationId: row.investigationId } });
  return describeInvestigation(ctx, row);
}

/** A pin as it is stored. @throws AppError `unprocessable` for an address that cannot be pinned. */
export function planPin(
  { kind, address, caption, content }: CreatePin,
  nowMs: number,
  path = "",
): { fields: Omit<PinFields, "position">; fromMs: number | undefined } {
  const pinned = pinnedAddress(kind, address, { nowMs });
  if (!pinned.ok) {
    throw new AppError("unprocessable", `This view cannot be pinned: ${pinned.message}.`, {
      issues: [{ path: `${path}address`, message: pinned.message }],
    });
  }
  return {
    fields: { kind, address: pinned.address, caption: caption.trim(), content: content ?? null },
    fromMs: pinned.fromMs,
  };
}

/** What is wrong with a window that ends before it begins. Pure. */
export function windowIssue({ from, to }: { from: number; to: number | null }): Issue | undefined {
  return to === null || to > from
    ? undefined
    : { path: "window.to", message: "expected a time after window.from" };
}
