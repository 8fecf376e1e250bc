import {
  findingDetail,
  nodeReading,
  type Finding,
  type FindingBrief,
  type FindingList,
  type FindingState,
  type FindingWithHistory,
  type NodeFindings,
  type SignatureCount,
} from "#lib/contracts/finding.ts";
import { isSimulated } from "#lib/domain/scenarios/simulated-label.ts";
import {
  findNodeReading,
  listFindingChanges,
  listFindingHeads,
  readFindings,
  type FindingChangeRow,
  type FindingHead,
  type FindingRow,
} from "#lib/server/data/findings.ts";
import type { NodeName } from "#lib/server/data/nodes.ts";
import type { Context } from "./context.ts";
import { findVisibleNode } from "./find-visible-node.ts";
import { groupBy } from "./group-by.ts";
import { listVisibleNodes } from "./resolve-scope.ts";

/** States in which a finding holds. */
const HOLDING: readonly FindingState[] = ["new", "acknowledged", "returned"];

/** What is asked of the findings of a fleet. */
interface FleetFilter {
  /** Without it those that hold. */
  readonly states?: readonly FindingState[] | undefined;
  readonly signature?: string | undefined;
  readonly cluster?: string | undefined;
  readonly certainty?: Finding["certainty"] | undefined;
  readonly severity?: Finding["severity"] | undefined;
}

/**
 * Findings over the fleet, and which signature is on how many nodes. Warnings before what is no leak, firm ones first, then by
 * cluster and node.
 */
export async function listFindings({
  ctx,
  input: { limit, offset, ...filter },
}: {
  ctx: Context;
  input: FleetFilter & { limit: number; offset: number };
}): Promise<FindingList> {
  const { heads, nodes } = await readHeads(ctx, filter);
  const nameOf = ({ nodeId }: FindingHead) => {
    const node = nodes.get(nodeId);
    return node === undefined ? "" : `${node.cluster}\u0000${node.name}`;
  };
  const shown = heads
    .toSorted((a, b) => compareHeads(a, b) || compareText(nameOf(a), nameOf(b)) || b.score - a.score)
    .slice(offset, offset + limit);
  const rows = await readFindings(
    ctx.db,
    shown.map(({ findingId }) => findingId),
  );
  return {
    findings: shown.flatMap(
      ({ findingId, nodeId }) => describe(rows.get(findingId), nodes.get(nodeId)) ?? [],
    ),
    total: heads.length,
    signatures: countSignatures(heads),
  };
}

/** On how many nodes each signature is, by state; warnings first, of these the one that fits best on most nodes. */
export async function countFindings({
  ctx,
  input,
}: {
  ctx: Context;
  input: FleetFilter;
}): Promise<SignatureCount[]> {
  return countSignatures((await readHeads(ctx, input)).heads);
}

async function readHeads(
  ctx: Context,
  { states = HOLDING, cluster, ...rest }: FleetFilter,
): Promise<{ heads: FindingHead[]; nodes: ReadonlyMap<number, NodeName> }> {
  const visible = await listVisibleNodes(ctx);
  const nodes = new Map(
    visible
      .filter((node) => cluster === undefined || node.cluster === cluster)
      .map((node) => [node.nodeId, node]),
  );
  const heads = await listFindingHeads(ctx.db, { ...rest, states });
  return { heads: heads.filter(({ nodeId }) => nodes.has(nodeId)), nodes };
}

/**
 * What was found on one node, with its history, and what else its stored history says.
 * @throws AppError `not_found`.
 */
export async function listNodeFindings({
  ctx,
  input: { nodeId },
}: {
  ctx: Context;
  input: { nodeId: number };
}): Promise<NodeFindings> {
  const node = await findVisibleNode(ctx, nodeId);
  const [heads, read] = await Promise.all([
    listFindingHeads(ctx.db, { nodeIds: [nodeId] }),
    findNodeReading(ctx.db, nodeId),
  ]);
  const findingIds = heads.map(({ findingId }) => findingId);
  const [rows, changes] = await Promise.all([
    readFindings(ctx.db, findingIds),
    listFindingChanges(ctx.db.prisma, findingIds),
  ]);
  const found = [...rows.values()].flatMap((row) => describe(row, node) ?? []).sort(compareFit);
  return {
    nodeId,
    computedAt: read === undefined ? null : Math.round(read.computedAtMs),
    from: read === undefined ? null : Math.round(read.fromMs),
    to: read === undefined ? null : Math.round(read.toMs),
    findings: found.map((finding) => withHistory(finding, changes)),
    ...(nodeReading.safeParse(read?.reading).data ?? NOTHING_READ),
  };
}

const NOTHING_READ = { possible: [], discriminate: [], askNext: null, notes: [] };

/** A finding with how it came to stand as it does. */
export function withHistory(finding: Finding, changes: readonly FindingChangeRow[]): FindingWithHistory {
  return {
    ...finding,
    history: changes
      .filter(({ findingId }) => findingId === finding.findingId)
      .map(({ atMs, actor, became, note }) => ({
        at: atMs,
        by: actor,
        became: became as FindingWithHistory["history"][number]["became"],
        note,
      })),
  };
}

/** A stored finding as the contract has it; `undefined` for one of a node that may not be seen, or of another version. */
export function describe(
  row: FindingRow | undefined,
  node: Pick<NodeName, "cluster" | "name" | "labels"> | undefined,
): Finding | undefined {
  const detail = findingDetail.safeParse(row?.detail);
  if (row === undefined || node === undefined || !detail.success) return undefined;
  return {
    findingId: row.findingId,
    nodeId: row.nodeId,
    cluster: node.cluster,
    node: node.name,
    simulated: isSimulated(node),
    signature: row.signature,
    severity: severityOf(row),
    certainty: row.certainty,
    state: row.state,
    stateAt: Math.round(row.stateAtMs),
    firstSeenAt: Math.round(row.firstSeenAtMs),
    lastSeenAt: Math.round(row.lastSeenAtMs),
    score: row.score,
    ...detail.data,
  };
}

function severityOf(stored: Pick<FindingHead, "severity"> | undefined): Finding["severity"] {
  return stored?.severity === "info" ? "info" : "warning";
}

type Fit = Pick<FindingHead, "severity" | "score" | "findingId"> & { readonly state: string };

/** What holds before what is over, leaks before what is none, the best first. */
function compareFit(a: Fit, b: Fit): number {
  return (
    Number(a.state === "resolved") - Number(b.state === "resolved") ||
    Number(a.severity === "info") - Number(b.severity === "info") ||
    b.score - a.score ||
    a.findingId - b.findingId
  );
}

function compareHeads(a: FindingHead, b: FindingHead): number {
  return (
    Number(a.severity === "info") - Number(b.severity === "info") ||
    Number(a.certainty === "suspected") - Number(b.certainty === "suspected")
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countSignatures(findings: readonly FindingHead[]): SignatureCount[] {
  const best = new Set(
    [...groupBy(findings, ({ nodeId }) => nodeId).values()].flatMap(
      (own) => own.toSorted(compareFit)[0] ?? [],
    ),
  );
  const counts = [...groupBy(findings, ({ signature }) => signature)].map(([signature, own]) => {
    const [first] = own;
    const inState = (state: FindingState) => own.filter((each) => each.state === state).length;
    return {
      signature,
      name: first?.name ?? signature,
      kind: findingDetail.shape.kind.safeParse(first?.kind).data ?? "leak",
      severity: severityOf(first),
      nodes: own.length,
      firm: own.filter(({ certainty }) => certainty === "firm").length,
      first: own.filter((each) => best.has(each)).length,
      states: {
        new: inState("new"),
        acknowledged: inState("acknowledged"),
        resolved: inState("resolved"),
        returned: inState("returned"),
      },
    };
  });
  return counts.sort(
    (a, b) =>
      Number(a.severity === "info") - Number(b.severity === "info") ||
      b.first - a.first ||
      b.nodes - a.nodes ||
      compareText(a.signature, b.signature),
  );
}

/** Of each node the leaks and limits that hold, the best first. */
export async function readFindingBriefs(
  { db }: Pick<Context, "db">,
  nodeIds?: readonly number[],
): Promise<Map<number, FindingBrief[]>> {
  const stored = await listFindingHeads(db, { states: HOLDING, severity: "warning", nodeIds });
  const byNode = groupBy(
    stored.toSorted((a, b) => b.score - a.score),
    ({ nodeId }) => nodeId,
  );
  return new Map(
    [...byNode].map(([nodeId, rows]) => [
      nodeId,
      rows.map((row) => ({
        signature: row.signature,
        name: row.name,
        certainty: row.certainty,
        state: row.state,
      })),
    ]),
  );
}
