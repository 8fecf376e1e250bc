import type { FindingDetail, NodeReading } from "#lib/contracts/finding.ts";
import { diagnoseHistory, type HistoryReading } from "#lib/domain/analysis/diagnose-history.ts";
import { followFinding } from "#lib/domain/analysis/finding-state.ts";
import { TREND_WINDOW_SHAPE, type TrendWindow } from "#lib/domain/analysis/trend-windows.ts";
import type { TrendVerdict } from "#lib/domain/analysis/vocabulary.ts";
import { DEFAULT_METRIC } from "#lib/domain/memory/metrics.ts";
import type { Finding } from "#lib/domain/signatures/match-signatures.ts";
import { trend as trendSchema } from "#lib/contracts/trend.ts";
import {
  listFindingHeads,
  listReadingTimes,
  storeFindings,
  writeNodeReadings,
  type FindingHead,
  type FindingToStore,
} from "#lib/server/data/findings.ts";
import { listFleetBoots } from "#lib/server/data/fleet-rollups.ts";
import { insertMachineMarks, type MachineMark } from "#lib/server/data/machine-marks.ts";
import { readNodeTrendAnswers, readNodeTrends } from "#lib/server/data/node-trends.ts";
import { findNodes, listNodesNewest, type NodeNewest, type NodeState } from "#lib/server/data/nodes.ts";
import { writeRecords } from "#lib/server/data/records.ts";
import { actorName, type Context } from "./context.ts";
import { groupBy } from "./group-by.ts";
import { readNodeEvidence, type HistoryWindow } from "./read-node-evidence.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Nodes whose memory moves are read often, the others now and then. */
const OFTEN_MS = 15 * MINUTE_MS;
const SELDOM_MS = HOUR_MS;
/** A node that was not heard of for so long has nothing new to say. */
const HEARD_WITHIN_MS = HOUR_MS;
const MOVING: ReadonlySet<TrendVerdict> = new Set(["leaking", "growing", "stepped"]);
/** Of these two windows the one in which kernel memory grows is read: the longer where it does in both, or in neither. */
const WINDOWS = ["7d", "24h"] as const satisfies readonly TrendWindow[];
/** What a trend of a day or more takes: the warm-up of a boot, or the ends of the window, are not part of it. */
const WHOLE_DAY_MS = DAY_MS + 2 * HOUR_MS;

type Verdicts = Readonly<Record<(typeof WINDOWS)[number], ReadonlyMap<number, TrendVerdict>>>;

/**
 * Holds the stored history of nodes against the known leaks, and keeps what is found: a finding is new, is resolved when its
 * evidence has gone, returns when it is there again. Nodes whose kernel memory moves are read each quarter of an hour, the others
 * each hour. One that becomes firm is marked on the node's time axis. Harmless when run twice at once.
 * @param input.limit most nodes that are read, those that have waited longest first.
 * @param input.nodeIds only these, whether they are due or not.
 * @returns how many nodes were read, and how many findings they have.
 */
export async function findFindings({
  ctx,
  input,
}: {
  ctx: Context;
  input: { limit: number; nodeIds?: readonly number[] };
}): Promise<{ nodes: number; findings: number }> {
  const verdicts: Verdicts = { "7d": await readVerdicts(ctx, "7d"), "24h": await readVerdicts(ctx, "24h") };
  const nodes = await chooseNodes(ctx, input, verdicts);
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  const [boots, stored] = await Promise.all([
    listFleetBoots(ctx.db, { nodeIds, sinceMs: ctx.now() - DAY_MS }),
    listFindingHeads(ctx.db, { nodeIds }),
  ]);
  const storedOf = groupBy(stored, ({ nodeId }) => nodeId);
  let findings = 0;
  for (const node of nodes) {
    const boot = boots.find(({ nodeId, bootId }) => nodeId === node.nodeId && bootId === node.bootId);
    if (boot === undefined) continue;
    const chosen = WINDOWS.find((each) => grows(verdicts[each].get(node.nodeId))) ?? WINDOWS[0];
    const toMs = node.atMs + 1;
    const spanMs = Math.max(TREND_WINDOW_SHAPE[chosen].spanMs, WHOLE_DAY_MS);
    const fromMs = Math.max(node.bootedAtMs, toMs - spanMs);
    const window = { fromMs, toMs, bootRef: boot.id };
    findings += await readNode(ctx, node, window, {
      leaking: await leakingSentence(ctx, node.nodeId, verdicts),
      known: storedOf.get(node.nodeId) ?? [],
    });
  }
  return { nodes: nodes.length, findings };
}

async function readVerdicts(ctx: Context, window: TrendWindow): Promise<ReadonlyMap<number, TrendVerdict>> {
  const trends = await readNodeTrends(ctx.db, { metric: DEFAULT_METRIC, window });
  return new Map(trends.map(({ nodeId, verdict }) => [nodeId, verdict]));
}

function grows(verdict: TrendVerdict | undefined): boolean {
  return verdict === "leaking" || verdict === "growing";
}

async function chooseNodes(
  ctx: Context,
  { limit, nodeIds }: { limit: number; nodeIds?: readonly number[] },
  verdicts: Verdicts,
): Promise<NodeState[]> {
  const nowMs = ctx.now();
  const [nodes, readAt] = await Promise.all([listNodesNewest(ctx.db), listReadingTimes(ctx.db)]);
  const wanted = nodeIds && new Set(nodeIds);
  const waited = ({ nodeId }: NodeNewest) => nowMs - (readAt.get(nodeId) ?? -Infinity);
  const isDue = (node: NodeNewest) => {
    const moves = WINDOWS.some((window) => {
      const verdict = verdicts[window].get(node.nodeId);
      return verdict !== undefined && MOVING.has(verdict);
    });
    // A round that begins a little early must not put a node off until the next.
    return waited(node) > (moves ? OFTEN_MS : SELDOM_MS) - MINUTE_MS;
  };
  const longestFirst = (a: NodeNewest, b: NodeNewest) => waited(b) - waited(a) || a.nodeId - b.nodeId;
  const chosen = nodes
    .filter((node) =>
      wanted === undefined
        ? node.receivedAtMs > nowMs - HEARD_WITHIN_MS && isDue(node)
        : wanted.has(node.nodeId),
    )
    .sort(longestFirst)
    .slice(0, limit);
  const states = await findNodes(
    ctx.db,
    chosen.map(({ nodeId }) => nodeId),
  );
  return states.sort(longestFirst);
}

/** What the trend that leaks says; `undefined` where none does. */
async function leakingSentence(
  ctx: Context,
  nodeId: number,
  verdicts: Verdicts,
): Promise<string | undefined> {
  const window = WINDOWS.find((each) => verdicts[each].get(nodeId) === "leaking");
  if (window === undefined) return undefined;
  const answers = await readNodeTrendAnswers(ctx.db, { metric: DEFAULT_METRIC, window, nodeId });
  return trendSchema.safeParse(answers.get(nodeId)).data?.text;
}

async function readNode(
  ctx: Context,
  node: NodeState,
  window: HistoryWindow,
  { leaking, known }: { leaking: string | undefined; known: readonly FindingHead[] },
): Promise<number> {
  const nowMs = ctx.now();
  const { nodeId } = node;
  const reading = diagnoseHistory(await readNodeEvidence(ctx.db, node, window), leaking);
  const wholeDay = window.toMs - node.bootedAtMs >= WHOLE_DAY_MS;
  // Of the time before its first snapshot nothing was read, however long it was up.
  const heardFromMs = Math.min(window.toMs, Math.max(window.fromMs, node.firstSeenAtMs));
  const bySignature = new Map(reading.findings.map((finding) => [finding.signature, finding]));
  const signatures = new Set([...bySignature.keys(), ...known.map(({ signature }) => signature)]);
  const steps = [...signatures].flatMap((signature): FindingToStore[] => {
    const seen = bySignature.get(signature);
    const before = known.find((each) => each.signature === signature);
    const step = followFinding(before, seen?.certainty, { nowMs, wholeDay });
    const isKept = step !== undefined && (seen !== undefined || step.became.length > 0);
    if (!isKept) return [];
    return [
      {
        nodeId,
        signature,
        ...step,
        severity: seen?.severity ?? before?.severity ?? "warning",
        score: seen?.score ?? before?.score ?? 0,
        detail: seen === undefined ? undefined : detailOf(seen),
      },
    ];
  });
  if (steps.length > 0) {
    await writeRecords(ctx.db, (tables) =>
      storeFindings(tables, steps, { nowMs, actor: actorName(ctx.actor) }),
    );
    await insertMachineMarks(ctx.db.pool, firmMarks(nodeId, reading, steps, nowMs), nowMs);
  }
  await writeNodeReadings(ctx.db, [
    {
      nodeId,
      computedAtMs: nowMs,
      fromMs: heardFromMs,
      toMs: window.toMs,
      reading: {
        possible: reading.possible.map((each) => ({ ...each, missing: [...each.missing] })),
        discriminate: [...reading.discriminate],
        askNext: reading.askNext ?? null,
        notes: notesOf(node, { wholeDay, heardMs: window.toMs - heardFromMs }),
      } satisfies NodeReading,
    },
  ]);
  return reading.findings.length;
}

function detailOf(finding: Finding): FindingDetail {
  const items = (from: Finding["evidence"]) =>
    from.map(({ text, values }) => ({ text, values: [...values] }));
  return {
    name: finding.name,
    kind: finding.kind,
    what: finding.what,
    explainedKib: finding.explainedKib ?? null,
    explainedShare: finding.explainedShare ?? null,
    evidence: items(finding.evidence),
    counterEvidence: items(finding.counterEvidence),
    missing: [...finding.missing],
    confirm: finding.confirm,
    mitigate: finding.mitigate,
    fix: finding.fix,
    affectedVersions: finding.affectedVersions,
    sources: [...finding.sources],
  };
}

function firmMarks(
  nodeId: number,
  { findings }: HistoryReading,
  steps: readonly FindingToStore[],
  nowMs: number,
): MachineMark[] {
  return steps.flatMap(({ signature, became, severity }): MachineMark[] => {
    const finding = findings.find((each) => each.signature === signature);
    if (finding === undefined || severity !== "warning" || !became.includes("firm")) return [];
    return [
      {
        nodeId,
        atMs: nowMs,
        kind: "finding",
        title: `Found: ${finding.name}`,
        text: finding.evidence.map(({ text }) => text).join(" "),
        tags: [signature],
        dedupeKey: `finding:${nodeId}:${signature}:${nowMs}`,
      },
    ];
  });
}

function notesOf(
  { details, sources }: NodeState,
  { wholeDay, heardMs }: { readonly wholeDay: boolean; readonly heardMs: number },
): string[] {
  const blind = (details.blindSources ?? []).flatMap((name) => {
    const status = sources?.[name]?.status;
    return status === undefined ? [] : [`${name} (${status})`];
  });
  return [
    ...(wholeDay && heardMs < WHOLE_DAY_MS
      ? ["Its samples reach back less than a day: small growth is not seen yet."]
      : []),
    ...(wholeDay
      ? []
      : ["This boot is younger than a day: growth can only be suspected, and small growth is not seen yet."]),
    ...(blind.length === 0
      ? []
      : [
          `Not read on this node: ${blind.join(", ")}. What ${blind.length === 1 ? "it" : "they"} would tell is not known.`,
        ]),
  ];
}
