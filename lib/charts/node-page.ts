import type { Annotation } from "#lib/contracts/annotation.ts";
import type { NodeSummary } from "#lib/contracts/node.ts";
import type { Part } from "./node-data.ts";
import type { TimeWindow, ViewAddress } from "./view-address.ts";

/** What every page of a node reads beside its own parts. */
export interface NodePageData {
  readonly window: TimeWindow;
  /** When it was read, by the clock of the reader's side. */
  readonly readAtMs: number;
  readonly node: Part<NodeSummary>;
  /** Marks in the window, drawn over its charts. */
  readonly annotations: Part<readonly Annotation[]>;
}

/** What a page of a node begins with. */
export interface NodePageStart<Data extends NodePageData> {
  readonly node: NodeSummary;
  /** What an address without a window shows; decided once, when the page was read. */
  readonly defaults: ViewAddress;
  readonly address: ViewAddress;
  readonly data: Data;
}
