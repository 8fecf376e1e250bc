import type {
  Entry,
  Evidence,
  HypothesisState,
  Investigation,
  InvestigationStatus,
} from "#lib/contracts/investigation.ts";
import { investigationFacts } from "./investigation-model.ts";
import type { InvestigationFacts, ShownEntry, ShownPin } from "./investigation-model.ts";
import type { EffectReading, PinReading } from "./pin-reading.ts";

/** What a shared link shows of an investigation beside its pinned views and figures; plain data, as it is kept when it is frozen. */
export interface SharedHead {
  readonly title: string;
  readonly status: InvestigationStatus;
  /** Markdown, as are the document and the hypotheses. */
  readonly conclusion: string;
  readonly text: string;
  readonly window: Investigation["window"];
  readonly people: readonly string[];
  readonly openedBy: string;
  readonly openedAt: number;
  readonly changedAt: number;
  /** Names of its nodes, in their order. */
  readonly nodes: readonly string[];
  readonly hypotheses: readonly {
    readonly text: string;
    readonly state: HypothesisState;
    readonly evidence: readonly Evidence[];
  }[];
  /** Without the addresses that they came from. */
  readonly pins: readonly ShownPin[];
  /** Newest first, without who changed which text. */
  readonly entries: readonly ShownEntry[];
  readonly zone: string;
  readonly readAtMs: number;
}

/** Everything that a frozen share shows. What is kept of one names its version, since it outlives the program that wrote it. */
export interface SharedDocument {
  readonly version: 1;
  readonly head: SharedHead;
  /** By the number of the pin. */
  readonly readings: Readonly<Record<number, PinReading>>;
  /** By how a text refers to them. */
  readonly effects: Readonly<Record<string, EffectReading>>;
}

/** Prepares what is shared of an investigation. `names` are those of its nodes. */
export function sharedHead(
  investigation: Investigation,
  entries: readonly Entry[],
  names: readonly string[],
  view: { readonly zone: string; readonly readAtMs: number },
): SharedHead {
  const { title, status, conclusion, text, window, people, createdBy, createdAt, updatedAt } = investigation;
  return {
    title,
    status,
    conclusion,
    text,
    window,
    people,
    openedBy: createdBy,
    openedAt: createdAt,
    changedAt: updatedAt,
    nodes: names,
    hypotheses: investigation.hypotheses.map((each) => ({
      text: each.text,
      state: each.state,
      evidence: each.evidence,
    })),
    pins: investigation.pins.map((pin) => ({
      number: pin.number,
      kind: pin.kind,
      caption: pin.caption,
      createdBy: pin.createdBy,
      address: "",
    })),
    entries: entries
      .filter(({ kind }) => kind !== "change")
      .map((each) => ({
        entryId: each.entryId,
        at: each.at,
        kind: each.kind,
        text: each.text,
        madeBy: each.madeBy,
        createdBy: each.createdBy,
      })),
    ...view,
  };
}

/** Facts of the head, with day and year: it is read later. */
export function headFacts({
  openedAt,
  openedBy,
  nodes,
  window,
  people,
  zone,
}: SharedHead): InvestigationFacts {
  return investigationFacts(
    {
      createdAt: openedAt,
      createdBy: openedBy,
      nodeIds: nodes.map((_, index) => index),
      window,
      people: [...people],
    },
    (index) => nodes[index],
    { zone, nowMs: 0 },
  );
}

/** Values that are there already, as a page takes those that are still being read. */
export function promised<Value>(values: Readonly<Record<string, Value>>): Record<string, Promise<Value>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Promise.resolve(value)]));
}
