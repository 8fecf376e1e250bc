import type { Evidence, HypothesisState, PinKind } from "#lib/contracts/investigation.ts";
import type { Tables } from "./records.ts";
import {
  createdColumns,
  hiding,
  nextVersion,
  readWritten,
  writtenColumns,
  type StoredWritten,
  type Writer,
  type Written,
} from "./written.ts";

/** What may be set of a hypothesis. */
export interface HypothesisFields {
  text: string;
  state: HypothesisState;
  evidence: Evidence[];
}

export interface HypothesisRow extends Omit<HypothesisFields, "state" | "evidence">, Written {
  hypothesisId: number;
  investigationId: number;
  state: string;
  evidence: unknown;
}

/** What is set of a pin; caption and position may change. */
export interface PinFields {
  kind: PinKind;
  address: string;
  caption: string;
  content: string | null;
  position: number;
}

export interface PinRow extends Omit<PinFields, "kind">, Written {
  pinId: number;
  investigationId: number;
  number: number;
  kind: string;
}

const hypothesisColumns = {
  id: true,
  investigationId: true,
  text: true,
  state: true,
  evidence: true,
  ...writtenColumns,
} as const;

const pinColumns = {
  id: true,
  investigationId: true,
  number: true,
  kind: true,
  address: true,
  caption: true,
  content: true,
  position: true,
  ...writtenColumns,
} as const;

type Selected<Row extends Written, Id extends keyof Row> = Omit<Row, Id | keyof Written> &
  StoredWritten & { id: number };

function toHypothesis({ id, ...rest }: Selected<HypothesisRow, "hypothesisId">): HypothesisRow {
  return { hypothesisId: id, ...readWritten(rest) };
}

function toPin({ id, ...rest }: Selected<PinRow, "pinId">): PinRow {
  return { pinId: id, ...readWritten(rest) };
}

/** Stores a new hypothesis. */
export async function insertHypothesis(
  tables: Pick<Tables, "hypothesis">,
  investigationId: number,
  fields: HypothesisFields,
  writer: Writer,
): Promise<HypothesisRow> {
  const data = { investigationId, ...fields, ...createdColumns(writer) };
  return toHypothesis(await tables.hypothesis.create({ data, select: hypothesisColumns }));
}

/** Replaces what may be set, if the hypothesis still has that version; undefined when someone else was faster. */
export async function replaceHypothesis(
  tables: Pick<Tables, "hypothesis">,
  hypothesisId: number,
  version: number,
  fields: HypothesisFields,
  writer: Writer,
): Promise<HypothesisRow | undefined> {
  const [row] = await tables.hypothesis.updateManyAndReturn({
    ...nextVersion(hypothesisId, version, fields, writer),
    select: hypothesisColumns,
  });
  return row === undefined ? undefined : toHypothesis(row);
}

/** Hypotheses of an investigation that are not hidden, oldest first. */
export async function listHypotheses(
  tables: Pick<Tables, "hypothesis">,
  investigationId: number,
): Promise<HypothesisRow[]> {
  const rows = await tables.hypothesis.findMany({
    where: { investigationId, deletedAt: null },
    orderBy: { id: "asc" },
    select: hypothesisColumns,
  });
  return rows.map(toHypothesis);
}

/** Stores a pin under the next number of its investigation, last in order. Two at once: the second is refused and may be repeated. */
export async function insertPin(
  tables: Pick<Tables, "pin">,
  investigationId: number,
  fields: Omit<PinFields, "position">,
  writer: Writer,
): Promise<PinRow> {
  // Hidden ones count: a number that stands in a text must never come to mean another pin.
  const { _max: last } = await tables.pin.aggregate({
    where: { investigationId },
    _max: { number: true, position: true },
  });
  const row = await tables.pin.create({
    data: {
      investigationId,
      ...fields,
      number: (last.number ?? 0) + 1,
      position: (last.position ?? -1) + 1,
      ...createdColumns(writer),
    },
    select: pinColumns,
  });
  return toPin(row);
}

/** Changes caption and place, if the pin still has that version; undefined when someone else was faster. */
export async function replacePin(
  tables: Pick<Tables, "pin">,
  pinId: number,
  version: number,
  { caption, position }: Pick<PinFields, "caption" | "position">,
  writer: Writer,
): Promise<PinRow | undefined> {
  const [row] = await tables.pin.updateManyAndReturn({
    ...nextVersion(pinId, version, { caption, position }, writer),
    select: pinColumns,
  });
  return row === undefined ? undefined : toPin(row);
}

/** Puts pins into an order. */
export async function orderPins(tables: Pick<Tables, "pin">, pinIds: readonly number[]): Promise<void> {
  for (const [position, id] of pinIds.entries())
    await tables.pin.updateMany({ where: { id }, data: { position } });
}

/** Pins of an investigation that are not hidden, in order. */
export async function listPins(tables: Pick<Tables, "pin">, investigationId: number): Promise<PinRow[]> {
  const rows = await tables.pin.findMany({
    where: { investigationId, deletedAt: null },
    orderBy: [{ position: "asc" }, { id: "asc" }],
    select: pinColumns,
  });
  return rows.map(toPin);
}

/** Numbers of all pins that an investigation ever had. */
export async function listPinNumbers(
  tables: Pick<Tables, "pin">,
  investigationId: number,
): Promise<ReadonlySet<number>> {
  const rows = await tables.pin.findMany({ where: { investigationId }, select: { number: true } });
  return new Set(rows.map(({ number }) => number));
}

/** Hides a part; its row and the history stay. */
export async function hidePart(
  tables: Pick<Tables, "pin" | "hypothesis" | "logEntry">,
  table: "pin" | "hypothesis" | "logEntry",
  id: number,
  nowMs: number,
): Promise<boolean> {
  const change = hiding(id, nowMs);
  const { count } = await (table === "pin"
    ? tables.pin.updateMany(change)
    : table === "hypothesis"
      ? tables.hypothesis.updateMany(change)
      : tables.logEntry.updateMany(change));
  return count > 0;
}

/** How many pins some investigations have, and how many hypotheses in each state. */
export async function countParts(
  tables: Pick<Tables, "pin" | "hypothesis">,
  investigationIds: readonly number[],
): Promise<(investigationId: number) => { pins: number; stateOf: (state: string) => number }> {
  const where = { investigationId: { in: [...investigationIds] }, deletedAt: null };
  const [pins, states] = await Promise.all([
    tables.pin.groupBy({ by: ["investigationId"], where, _count: true }),
    tables.hypothesis.groupBy({ by: ["investigationId", "state"], where, _count: true }),
  ]);
  return (investigationId) => ({
    pins: pins.find((each) => each.investigationId === investigationId)?._count ?? 0,
    stateOf: (state) =>
      states.find((each) => each.investigationId === investigationId && each.state === state)?._count ?? 0,
  });
}
