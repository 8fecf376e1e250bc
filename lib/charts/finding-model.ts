import type {
  Finding,
  FindingBrief,
  FindingState,
  FindingWithHistory,
  NodeFindings,
  SignatureCount,
} from "#lib/contracts/finding.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { formatDuration, formatKib, formatNumber, formatShare } from "./format.ts";
import { formatMoment } from "./format-time.ts";
import type { VerdictText } from "./verdict.ts";

/** A moment is told as a person there reads it. */
interface View {
  readonly zone: string;
  readonly nowMs: number;
}

/** How sure a finding is, or that it is over, in one word. */
export function findingVerdict({
  severity,
  certainty,
  state,
}: Pick<Finding, "severity" | "certainty" | "state">): VerdictText {
  if (state === "resolved") return { word: "resolved", tone: "ok" };
  if (severity === "info") return { word: "no leak", tone: "flat" };
  return certainty === "firm" ? { word: "firm", tone: "leaking" } : { word: "suspected", tone: "growing" };
}

const STATE_WORDS: Readonly<Record<FindingState, string>> = {
  new: "new",
  acknowledged: "acknowledged",
  resolved: "resolved",
  returned: "returned",
};

/** How a finding stands and since when: "acknowledged, seen since 10 Mar 11:20". */
export function standingText(
  {
    state,
    stateAt,
    firstSeenAt,
    lastSeenAt,
  }: Pick<Finding, "state" | "stateAt" | "firstSeenAt" | "lastSeenAt">,
  { zone, nowMs }: View,
): string {
  const when = (timeMs: number) => formatMoment(timeMs, zone, nowMs);
  const first = `first seen ${when(firstSeenAt)}`;
  if (state === "resolved") return `${first}, last ${when(lastSeenAt)}, resolved ${when(stateAt)}`;
  return state === "new" ? first : `${first}, ${STATE_WORDS[state]} ${when(stateAt)}`;
}

/** How much of what grew a finding accounts for; `undefined` where that cannot be told. */
export function explainedText({
  explainedKib,
  explainedShare,
}: Pick<Finding, "explainedKib" | "explainedShare">): string | undefined {
  if (explainedKib === null || explainedKib <= 0) return undefined;
  const share = explainedShare === null ? "" : `, ${formatShare(explainedShare, 0)} of what grew`;
  return `accounts for ${formatKib(explainedKib)}${share}`;
}

/** What the page of a node's findings says first. */
export function nodeFindingsHead({
  computedAt,
  findings,
}: Pick<NodeFindings, "computedAt" | "findings">): string {
  if (computedAt === null) return "The history of this node has not been read yet.";
  const holding = findings.filter(({ state, severity }) => state !== "resolved" && severity === "warning");
  const [first] = holding;
  if (first === undefined) return "No known leak was found in the history of this node.";
  const others = holding.length - 1;
  const more = others === 0 ? "" : `, and ${formatNumber(others)} more to tell it from`;
  return first.certainty === "firm" ? `${first.name}${more}.` : `Suspected: ${first.name}${more}.`;
}

/** Which stretch of history was read, and when. */
export function readText(
  { computedAt, from, to }: Pick<NodeFindings, "computedAt" | "from" | "to">,
  view: View,
): string {
  if (computedAt === null || from === null || to === null)
    return "The worker reads it within minutes of the first snapshot.";
  return `From the last ${formatDuration(to - from)} of its newest boot, read ${formatMoment(computedAt, view.zone, view.nowMs)}. Nothing on the node is changed, and none of the commands is ever run by Plumbline.`;
}

/** Where a source is kept, when it names a repository and a number. */
export function sourceAddress(source: string): string | undefined {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository === undefined || number === undefined
    ? undefined
    : `https://github.com/${repository}/issues/${number}`;
}

const BECAME: Readonly<Record<FindingWithHistory["history"][number]["became"], string>> = {
  ...STATE_WORDS,
  new: "found",
  firm: "became firm",
};

/** A finding's history as lines, the newest first. */
export function historyLines(
  { history }: Pick<FindingWithHistory, "history">,
  { zone, nowMs }: View,
): string[] {
  return history.toReversed().map(({ at, by, became, note }) => {
    const line = `${formatMoment(at, zone, nowMs)}: ${BECAME[became]} by ${by}`;
    return note === null ? line : `${line}: ${note}`;
  });
}

/** What a row of the fleet says of a node's findings; `undefined` when there are none. */
export interface FindingBadge {
  /** `S01`, `S01 +2`. */
  readonly text: string;
  /** Names and certainties, in full. */
  readonly title: string;
  readonly firm: boolean;
}

/** Prepares the badge of a fleet row. */
export function findingBadge(findings: readonly FindingBrief[]): FindingBadge | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  const rest = findings.length - 1;
  const code = first.signature === "unknown" ? "unnamed leak" : first.signature;
  return {
    text: rest === 0 ? code : `${code} +${rest}`,
    title: findings.map(({ name, certainty, state }) => `${name} (${certainty}, ${state})`).join("; "),
    firm: first.certainty === "firm",
  };
}

/** What the fleet's page of findings says first. */
export function fleetFindingsHead(signatures: readonly SignatureCount[]): string {
  const leaks = signatures.filter(({ severity }) => severity === "warning");
  const [first] = leaks;
  if (first === undefined) return "No known leak was found on any node.";
  return leaks.length === 1
    ? `One known leak on ${formatCount(first.nodes, "node")}: ${first.name}.`
    : `${formatNumber(leaks.length)} known leaks fit; on ${formatCount(first.first, "node")} the likeliest is: ${first.name}.`;
}

/** How the nodes of a signature stand: "3 nodes, 2 firm, likeliest on 2; 1 acknowledged". */
export function countText({
  nodes,
  firm,
  first,
  states,
}: Pick<SignatureCount, "nodes" | "firm" | "first" | "states">): string {
  const told = (["acknowledged", "returned", "resolved"] as const).flatMap((state) =>
    states[state] > 0 ? [`${formatNumber(states[state])} ${STATE_WORDS[state]}`] : [],
  );
  const all = `${formatCount(nodes, "node")}, ${formatNumber(firm)} firm, likeliest on ${formatNumber(first)}`;
  return [all, ...told].join("; ");
}
