import type { Investigation, UpdateInvestigation } from "#lib/contracts/investigation.ts";
import { mayBecome } from "#lib/domain/investigation/status.ts";
import { AppError } from "#lib/errors.ts";
import {
  findInvestigation,
  replaceInvestigation,
  type InvestigationFields,
} from "#lib/server/data/investigations.ts";
import type { Context } from "./context.ts";
import { windowIssue } from "./create-investigation.ts";
import { describeHead, describeInvestigation } from "./describe-investigation.ts";
import { findEditableInvestigation } from "./find-editable-investigation.ts";
import { resolveScope } from "./resolve-scope.ts";
import { differing, versionConflict, writeInvestigation } from "./write-investigation.ts";

const FIELDS = [
  "title",
  "status",
  "scope",
  "nodeIds",
  "windowFromMs",
  "windowToMs",
  "conclusion",
  "text",
  "people",
] as const;

/** What is saved while it is typed. */
const TYPED: readonly string[] = ["title", "conclusion", "text"];

/**
 * Changes an investigation that still has the version that was sent. A changed scope is resolved anew, an unchanged one keeps the
 * nodes that it meant. A change that changes nothing leaves no trace and no new version.
 * @throws AppError `not_found`, `forbidden`, `unprocessable`; `conflict` with both texts when the version is an older one, and
 * for a status that cannot follow.
 */
export async function updateInvestigation({
  ctx,
  input: { investigationId, changes },
}: {
  ctx: Context;
  input: { investigationId: number; changes: UpdateInvestigation };
}): Promise<Investigation> {
  const stored = await findEditableInvestigation(ctx, investigationId);
  const { version, scope, window, ...texts } = changes;
  const conflict = async () => {
    const now = (await findInvestigation(ctx.db.prisma, investigationId)) ?? stored;
    return versionConflict("investigation", await describeInvestigation(ctx, now), changes);
  };
  if (version !== stored.version) throw await conflict();
  const current = describeHead(stored);
  const before: InvestigationFields = { ...stored, scope: current.scope, status: current.status };
  const fields: InvestigationFields = {
    title: texts.title ?? stored.title,
    status: texts.status ?? current.status,
    scope: scope ?? current.scope,
    nodeIds: scope === undefined ? stored.nodeIds : await resolveScope({ ctx, scope }),
    windowFromMs: window?.from ?? stored.windowFromMs,
    windowToMs: window === undefined ? stored.windowToMs : window.to,
    conclusion: texts.conclusion ?? stored.conclusion,
    text: texts.text ?? stored.text,
    people: texts.people ?? stored.people,
  };
  const order = windowIssue({ from: fields.windowFromMs, to: fields.windowToMs });
  if (order !== undefined) throw new AppError("unprocessable", "The window is empty.", { issues: [order] });
  if (!mayBecome(current.status, fields.status)) {
    throw new AppError("unprocessable", `What is ${current.status} cannot become ${fields.status}.`, {
      issues: [{ path: "status", message: `does not follow ${current.status}` }],
    });
  }
  const change = differing<InvestigationFields>(FIELDS, before, fields);
  if (change === undefined) return describeInvestigation(ctx, stored);
  const row = await writeInvestigation(ctx, async (tables, writer) => {
    const replaced = await replaceInvestigation(tables, investigationId, version, fields, writer);
    if (replaced === undefined) return { result: undefined, investigationId, change: undefined };
    const names = Object.keys(change.after);
    return {
      result: replaced,
      investigationId,
      change: {
        subject: "investigation",
        action: "changed" as const,
        ...change,
        typed: names.every((name) => TYPED.includes(name)),
        logged: names.includes("status") ? `set the status to ${fields.status}` : undefined,
      },
    };
  });
  if (row === undefined) throw await conflict();
  return describeInvestigation(ctx, row);
}
