import type { Machine } from "./machine.ts";

/** Something that people did to nodes of a simulated cluster, as they would have marked it. */
export interface SimulatedMark {
  readonly atMs: number;
  readonly kind: "intervention" | "deploy" | "incident" | "note";
  readonly title: string;
  readonly text?: string;
  readonly nodes: readonly string[];
}

/** A cluster whose nodes are made up. */
export interface SimulatedCluster {
  readonly name: string;
  readonly machines: readonly Machine[];
  readonly marks: readonly SimulatedMark[];
}
