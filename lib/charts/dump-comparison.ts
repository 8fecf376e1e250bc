import {
  orderOf,
  originDifference,
  type DumpOrder,
  type DumpOrigin,
} from "#lib/domain/diagnosis/dump-origin.ts";
import type { PasteReading } from "#lib/domain/diagnosis/read-paste.ts";
import { sentenceStart } from "#lib/domain/analysis/metric-words.ts";
import { kernelBands } from "./dump-model.ts";
import { formatKib, formatKibChange } from "./format.ts";

type Read = Pick<PasteReading, "explanation" | "origin">;
type Composition = NonNullable<PasteReading["explanation"]["composition"]>;

/** Two dumps against each other, the older one first, whichever was given first. */
export interface DumpComparison {
  /** Where nothing tells, the second. */
  readonly newer: DumpOrder["newer"];
  /** Whether the dumps themselves tell which is the newer one. */
  readonly isDated: boolean;
  /** What says which is the newer one, for the reader. */
  readonly order: string;
  /** Why the difference is no growth; absent where nothing speaks against one machine in one boot. */
  readonly warning: string | undefined;
  /** What changed, in one sentence; absent where not both can be composed. */
  readonly answer: string | undefined;
  readonly before: { readonly name: string; readonly composition: Composition } | undefined;
  readonly after: { readonly name: string; readonly composition: Composition } | undefined;
}

/** What two dumps say together: which is the newer one, whether they are of one machine, and what changed from one to the other. */
export function compareDumps(first: Read, second: Read): DumpComparison {
  const order = orderOf(first.origin, second.origin);
  const swapped = order.newer === "first";
  const [older, newer] = swapped ? [second, first] : [first, second];
  const difference = originDifference(older.origin, newer.origin, { ...order, newer: "second" });
  const before = sideOf(older, swapped ? "second" : "first");
  const after = sideOf(newer, order.newer);
  const warning =
    difference === undefined
      ? undefined
      : difference.kind === "machine"
        ? `Two different machines: ${difference.reasons.join("; ")}. What follows is how they differ, not growth.`
        : `Two boots: ${difference.reasons.join("; ")}. What follows is how they differ, not growth in one boot.`;
  return {
    newer: order.newer,
    isDated: order.by !== "place",
    order: ORDERS[order.by][swapped ? "swapped" : "kept"],
    warning,
    answer: before && after && answerOf(before.composition, after.composition, difference?.kind, order.newer),
    before,
    after,
  };
}

const ORDERS = {
  time: {
    kept: "second less first: its time is the later one",
    swapped: "first less second: by their times the first one is the later",
  },
  uptime: {
    kept: "second less first: the machine had been up for longer",
    swapped: "first less second: by its uptime the first one is the later",
  },
  place: { kept: "second less first: the dumps do not say when they were taken", swapped: "" },
} as const satisfies Record<DumpOrder["by"], Record<"kept" | "swapped", string>>;

function sideOf(
  { explanation: { composition }, origin }: Read,
  which: DumpOrder["newer"],
): DumpComparison["before"] {
  return composition === undefined ? undefined : { name: nameOf(which, origin), composition };
}

function nameOf(which: DumpOrder["newer"], { host, taken }: DumpOrigin): string {
  const more = [host, taken?.text].filter((text) => text !== undefined);
  return more.length === 0 ? which : `${which}: ${more.join(", ")}`;
}

/** Less than this is the wobble of any machine. */
const LEAST_CHANGE_KIB = 64 * 1024;
const LEAST_CHANGE_SHARE = 0.005;

function answerOf(
  before: Composition,
  after: Composition,
  differs: "machine" | "boot" | undefined,
  newer: DumpOrder["newer"],
): string {
  const sum = (composition: Composition) =>
    kernelBands(composition).reduce((total, { kib }) => total + kib, 0);
  const change = sum(after) - sum(before);
  const lead = differs === "machine" ? "Two different machines. " : differs === "boot" ? "Two boots. " : "";
  const what = "kernel, tmpfs and huge pages";
  if (Math.abs(change) < Math.max(LEAST_CHANGE_KIB, LEAST_CHANGE_SHARE * after.totalKib))
    return `${lead}${sentenceStart(what)} together are the same within ${formatKib(Math.abs(change))}.`;
  const most = kernelBands(after)
    .flatMap((band) => {
      const was = kernelBands(before).find(({ key }) => key === band.key)?.kib;
      return was === undefined ? [] : [{ label: band.label, change: band.kib - was }];
    })
    .sort((a, b) => Math.sign(change) * (b.change - a.change))[0];
  const part =
    most === undefined || Math.sign(most.change) !== Math.sign(change)
      ? ""
      : `, most of it ${most.label} (${formatKibChange(most.change)})`;
  const verb =
    differs === undefined
      ? `${sentenceStart(what)} ${change > 0 ? "grew" : "fell"} by ${formatKib(Math.abs(change))}`
      : `The ${newer} one holds ${formatKib(Math.abs(change))} ${change > 0 ? "more" : "less"} of ${what}`;
  return `${lead}${verb}${part}.`;
}
