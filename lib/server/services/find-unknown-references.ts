import type { Evidence } from "#lib/contracts/investigation.ts";
import { readSide } from "#lib/contracts/compare.ts";
import { readPinAddress } from "#lib/contracts/pin-address.ts";
import { SIGNATURES } from "#lib/domain/signatures/registry.ts";
import { AppError, type Issue } from "#lib/errors.ts";
import { findAnnotation } from "#lib/server/data/annotations.ts";
import { listPinNumbers } from "#lib/server/data/investigation-parts.ts";
import type { Context } from "./context.ts";
import { concernsOwn, listVisibleNodes } from "./resolve-scope.ts";

/** Of findings: those of the catalogue, and that of a leak that none of them names. */
const KNOWN_SIGNATURES: ReadonlySet<string> = new Set(["unknown", ...SIGNATURES.map(({ id }) => id)]);

/** What a text of an investigation may only refer to where it is or was there: else it would be said later that it was taken away. */
interface References {
  readonly nodeIds: readonly number[];
  readonly annotationIds: readonly number[];
}

/** Which of some nodes and marks the actor may not know of; a mark that was taken away was there. */
async function unknownAmong(ctx: Context, { nodeIds, annotationIds }: References): Promise<string[]> {
  const visible =
    nodeIds.length === 0 ? new Set() : new Set((await listVisibleNodes(ctx)).map(({ nodeId }) => nodeId));
  const marks = await Promise.all(
    [...new Set(annotationIds)].map(async (annotationId) => {
      const row = await findAnnotation(ctx.db.prisma, annotationId, { alsoHidden: true });
      return row !== undefined && (await concernsOwn(ctx, row, "some")) ? [] : [`mark ${annotationId}`];
    }),
  );
  const nodes = [...new Set(nodeIds)].filter((nodeId) => !visible.has(nodeId));
  return [...nodes.map((nodeId) => `node ${nodeId}`), ...marks.flat()];
}

function issuesFor(path: string, unknown: readonly string[]): Issue[] {
  return unknown.map((what) => ({ path, message: `there is no ${what}` }));
}

function refuse(what: string, issues: readonly Issue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new AppError("unprocessable", `${what} names what does not exist: ${first.message}.`, {
    issues: issues.slice(0, 20),
  });
}

/**
 * Refuses pieces of evidence for what never was there; what was taken away since was. `known` are those that stand already.
 * @throws AppError `unprocessable` that names each.
 */
export async function refuseUnknownEvidence(
  ctx: Context,
  investigationId: number,
  evidence: readonly Evidence[],
  known: readonly Evidence[] = [],
): Promise<void> {
  const before = new Set(known.map((each) => JSON.stringify(each)));
  const given = evidence
    .map((each, index) => ({ each, path: `evidence.${index}` }))
    .filter(({ each }) => !before.has(JSON.stringify(each)));
  if (given.length === 0) return;
  const numbers = await listPinNumbers(ctx.db.prisma, investigationId);
  const issues = await Promise.all(
    given.map(async ({ each, path }) => {
      if (each.kind === "pin") return issuesFor(path, numbers.has(each.number) ? [] : [`pin ${each.number}`]);
      const nodeIds = each.nodeId === undefined ? [] : [each.nodeId];
      if (each.kind === "effect")
        return issuesFor(path, await unknownAmong(ctx, { nodeIds, annotationIds: [each.annotationId] }));
      const named = KNOWN_SIGNATURES.has(each.signature) ? [] : [`signature ${each.signature}`];
      return issuesFor(path, [...named, ...(await unknownAmong(ctx, { nodeIds, annotationIds: [] }))]);
    }),
  );
  refuse("The evidence", issues.flat());
}

/** Nodes and marks that an address of a page names. Pure, total on any text. */
function namedIn(address: string): References {
  const target = readPinAddress(address);
  if (target === undefined) return { nodeIds: [], annotationIds: [] };
  const { where, parameters } = target;
  const sides = ["a", "b"].flatMap((name) => {
    const side = where.page === "compare" ? readSide(name, parameters.getAll(name)) : undefined;
    return side?.ok && side.value.kind === "nodes" ? side.value.nodeIds : [];
  });
  const marks =
    where.page === "compare" ? ["mark", "a.mark", "b.mark"] : where.page === "node" ? ["effect"] : [];
  const ids = marks.flatMap((name) => parameters.getAll(name)).filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return { nodeIds: "nodeId" in where ? [where.nodeId] : sides, annotationIds: ids.map(Number) };
}

/**
 * Refuses pins of nodes and marks that never were there.
 * @param pins each with the path at which its address stands in the request.
 * @throws AppError `unprocessable` that names each.
 */
export async function refuseUnknownPins(
  ctx: Context,
  pins: readonly { readonly address: string; readonly path: string }[],
): Promise<void> {
  const issues = await Promise.all(
    pins.map(async ({ address, path }) => issuesFor(path, await unknownAmong(ctx, namedIn(address)))),
  );
  refuse("The address", issues.flat());
}
