import { referenceText } from "#lib/charts/markdown.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import { sharedHead } from "#lib/charts/shared-document.ts";
import type { SharedHead } from "#lib/charts/shared-document.ts";
import type { Annotation } from "#lib/contracts/annotation.ts";
import { readSide } from "#lib/contracts/compare.ts";
import { MAX_ENTRIES } from "#lib/contracts/investigation.ts";
import type { Investigation, Pin } from "#lib/contracts/investigation.ts";
import { readPinAddress } from "#lib/contracts/pin-address.ts";
import type { Redactor } from "#lib/domain/redaction/redact-text.ts";
import type { Database } from "#lib/server/data/client.ts";
import type { Actor, Context } from "#lib/server/services/context.ts";
import { getInvestigation } from "#lib/server/services/describe-investigation.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { listPeople } from "#lib/server/services/list-people.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { listLogEntries } from "#lib/server/services/write-log-entry.ts";
import { effectReferences } from "./effect-references.ts";
import { readCloser, readEffect, readPin, type Reader } from "./read-pin.ts";
import { headWithOrigins, importedHead, readImported, readingWithOrigins } from "./imported-investigation.ts";
import type { ImportedInvestigation } from "./imported-investigation.ts";
import { redactedReader } from "./redacted-reader.ts";
import type { ShareReader } from "./share-reader.ts";

/** The zone of the texts; pinned views have their own. */
const ZONE = "UTC";
/** No moment is of that day: whoever reads a link reads it later. */
const WITH_DAY_AND_YEAR = 0;

/**
 * Opens the reader of a share.
 * @throws AppError `not_found` when the investigation was taken away.
 */
export async function openShareReader({
  db,
  now,
  silentAfterMs,
  shareId,
  investigationId,
  redactor,
  taker,
}: {
  db: Database;
  now: () => number;
  silentAfterMs: number;
  shareId: number;
  investigationId: number;
  /** Replaces names and addresses, where that is wished. */
  redactor: Redactor | undefined;
  /** Whoever has an account takes along what they may see, with the addresses that it came from; undefined for a link. */
  taker?: Actor;
}): Promise<ShareReader> {
  const server: Context = { db, now, actor: { kind: "system", name: "share" } };
  const [investigation, { entries }, all, imported] = await Promise.all([
    getInvestigation({ ctx: server, input: { investigationId } }),
    listLogEntries({ ctx: server, input: { investigationId, limit: MAX_ENTRIES, offset: 0 } }),
    listVisibleNodes(taker === undefined ? server : { ...server, actor: taker }),
    readImported(db, investigationId),
  ]);
  const nodeIds = new Set(investigation.nodeIds);
  const names = all.filter((node) => nodeIds.has(node.nodeId)).map(({ name }) => name);
  const inside: Reader = {
    ctx: { db, now, actor: taker ?? { kind: "share", shareId, nodeIds } },
    silentAfterMs,
    nowMs: WITH_DAY_AND_YEAR,
  };
  const coversAll = all.every((node) => nodeIds.has(node.nodeId));
  const references = new Map(
    effectReferences(investigation, entries).map((to) => [referenceText(to), to] as const),
  );
  // Of a scope that was narrowed the log still names the nodes that it had, where the program wrote it.
  const told =
    taker === undefined
      ? entries.filter(
          ({ madeBy, nodeIds: of }) => madeBy !== "machine" || of.every((each) => nodeIds.has(each)),
        )
      : entries;
  const own = sharedHead(investigation, told, names, { zone: ZONE, readAtMs: now() });
  const whole = imported ? importedHead(imported, own) : withAddresses(own, investigation);
  const head = taker === undefined ? withoutAddresses(whole) : whole;
  const pinOf = (number: number) => investigation.pins.find((each) => each.number === number);
  const noPin = (number: number) => `There is no pin ${number}.`;
  const reader: ShareReader = {
    head,
    references: [...references.keys()],
    readPin: async (number) => {
      const pin = pinOf(number);
      if (pin === undefined) return { kind: "unreadable", message: noPin(number) };
      const came = imported?.readings[number];
      if (came !== undefined) return taker === undefined ? confinedPin(came, nodeIds) : came;
      if (taker !== undefined) return readPin(inside, pin);
      const message = uncovered(pin, investigation, coversAll);
      if (message !== undefined) return { kind: "unreadable", message };
      const reading = confinedPin(await readPin(inside, pin), nodeIds);
      const page = readPinAddress(pin.address)?.where.page;
      const isPart = !coversAll && (page === "fleet" || page === "experiments" || page === "findings");
      return reading.kind === "table" && isPart
        ? { ...reading, note: `of the nodes of this investigation alone: ${reading.note}` }
        : reading;
    },
    readCloser: async (number, part) => {
      const pin = pinOf(number);
      if (pin === undefined) return undefined;
      if (imported?.readings[number] !== undefined)
        return { kind: "unreadable", message: "Its points are those that came with it." };
      const message = taker === undefined ? uncovered(pin, investigation, coversAll) : undefined;
      return message === undefined ? readCloser(inside, pin, part) : { kind: "unreadable", message };
    },
    readEffect: async (reference) => {
      const to = references.get(reference);
      if (to === undefined) return { message: "The texts do not refer to it." };
      const came = imported?.effects[reference];
      if (came !== undefined)
        return taker === undefined && !("message" in came) ? { ...came, href: "" } : came;
      const read = await readEffect(inside, to.annotationId, to.nodeId, investigation.nodeIds);
      return "message" in read || taker !== undefined ? read : { ...read, href: "" };
    },
  };
  const asRead = (own: ShareReader) => (imported && taker === undefined ? withOrigins(own, imported) : own);
  if (redactor === undefined) return asRead(reader);
  const [{ people }, { annotations }] = await Promise.all([
    listPeople({ ctx: server }),
    // The log names who made them.
    listAnnotations({ ctx: inside.ctx, input: { fromMs: 0, toMs: now() } }),
  ]);
  const marks = annotations.filter(({ madeBy }) => madeBy !== "machine");
  const known = {
    nodes: all,
    people: [...people.map(({ name }) => name), ...marks.map(({ author }) => author)],
    texts: [
      ...marks.flatMap(({ title, text }) => [title, text ?? ""]),
      ...investigation.pins.flatMap(({ content }) => content ?? []),
    ],
  };
  return asRead(redactedReader(reader, redactor, known));
}

function withAddresses(head: SharedHead, { pins }: Investigation): SharedHead {
  const addressOf = new Map(pins.map(({ number, address }) => [number, address]));
  return { ...head, pins: head.pins.map((pin) => ({ ...pin, address: addressOf.get(pin.number) ?? "" })) };
}

function withoutAddresses(head: SharedHead): SharedHead {
  return { ...head, pins: head.pins.map((pin) => ({ ...pin, address: "" })) };
}

/** What came from a file says that its authors are of elsewhere. */
function withOrigins(reader: ShareReader, imported: ImportedInvestigation): ShareReader {
  return {
    ...reader,
    head: headWithOrigins(imported, reader.head),
    readPin: async (number) => readingWithOrigins(imported, number, await reader.readPin(number)),
  };
}

/**
 * Why a pin is not shared; undefined when it is. A view of other nodes is not, and one that compares nodes by what they report
 * only where all of them are of the investigation: over fewer nodes its numbers would differ from those that were pinned.
 */
function uncovered(
  pin: Pin,
  { nodeIds }: Pick<Investigation, "nodeIds">,
  coversAll: boolean,
): string | undefined {
  const target = readPinAddress(pin.address);
  if (pin.kind === "dump" || target === undefined || coversAll) return undefined;
  const { where, parameters } = target;
  const beyond = "it shows nodes that the investigation does not concern, which this link does not cover.";
  switch (where.page) {
    case "node":
    case "slab":
      return nodeIds.includes(where.nodeId) ? undefined : beyond;
    case "cohorts":
      return beyond;
    case "compare": {
      const own = (["a", "b"] as const).every((name) => {
        const side = readSide(name, parameters.getAll(name));
        return (
          side.ok && side.value.kind === "nodes" && side.value.nodeIds.every((each) => nodeIds.includes(each))
        );
      });
      return own ? undefined : beyond;
    }
    case "fleet":
    case "experiments":
    case "findings":
      return undefined;
  }
}

/** A view without what it knows of other nodes: marks name those that they concern. */
function confinedPin(reading: PinReading, nodeIds: ReadonlySet<number>): PinReading {
  switch (reading.kind) {
    case "composition":
    case "effects":
    case "caches": {
      const annotations = reading.node.annotations.map((mark) => confinedMark(mark, nodeIds));
      return { ...reading, node: { ...reading.node, annotations } };
    }
    case "effect":
      return { ...reading, figure: { ...reading.figure, href: "" } };
    default:
      return reading;
  }
}

function confinedMark(mark: Annotation, own: ReadonlySet<number>): Annotation {
  return {
    ...mark,
    scope: {},
    nodeIds: mark.nodeIds.filter((nodeId) => own.has(nodeId)),
    controls: "auto",
    controlNodeIds: [],
  };
}
