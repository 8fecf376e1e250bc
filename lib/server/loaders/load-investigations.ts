import "server-only";
import { cache } from "react";
import { importedText, investigationLines } from "#lib/charts/investigation-model.ts";
import type { InvestigationLine } from "#lib/charts/investigation-model.ts";
import { referenceText } from "#lib/charts/markdown.ts";
import type { EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import { readPageNumber, readWord } from "#lib/charts/view-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import {
  investigationListQuery,
  investigationStatus,
  type Entry,
  type Investigation,
  type InvestigationStatus,
} from "#lib/contracts/investigation.ts";
import { isAtLeast } from "#lib/contracts/role.ts";
import type { Share } from "#lib/contracts/share.ts";
import { AppError } from "#lib/errors.ts";
import { effectReferences } from "#lib/server/documents/effect-references.ts";
import { readImported, readingWithOrigins } from "#lib/server/documents/imported-investigation.ts";
import { readEffect, readPin } from "#lib/server/documents/read-pin.ts";
import { getInvestigation } from "#lib/server/services/describe-investigation.ts";
import { listAnnotations } from "#lib/server/services/list-annotations.ts";
import { roleOf } from "#lib/server/services/context.ts";
import { listShares } from "#lib/server/services/list-shares.ts";
import { listInvestigations } from "#lib/server/services/list-investigations.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { listLogEntries } from "#lib/server/services/write-log-entry.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

const PAGE_SIZE = 50;
/** Entries of the log that the page shows; the API has the others. */
const MOST_ENTRIES = 300;
/** Marks that are offered to be placed in a text, the newest. */
const MOST_MARKS = 100;

/** What the list of investigations shows, and how it was asked. */
export interface InvestigationsPage {
  readonly lines: readonly InvestigationLine[];
  readonly total: number;
  readonly pageSize: number;
  readonly filter: {
    readonly search: string;
    readonly status: InvestigationStatus | "";
    readonly page: number;
  };
  readonly faults: readonly AddressFault[];
}

/** Reads one page of the list; what of its address cannot be read narrows nothing, and `faults` says so. */
export async function loadInvestigations(parameters: PageParameters): Promise<InvestigationsPage> {
  const { ctx } = await pageContext();
  const first = firstOf(parameters);
  const faults: AddressFault[] = [];
  const status = readWord("status", first("status"), investigationStatus.options, faults);
  const search = investigationListQuery.shape.search.safeParse(
    first("search")?.replaceAll("\u0000", "").trim(),
  ).data;
  const page = readPageNumber(first("page") ?? "", faults);
  const [{ investigations, total }, nodes] = await Promise.all([
    listInvestigations({
      ctx,
      input: { status, search, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
    }),
    listVisibleNodes(ctx),
  ]);
  const names = new Map(nodes.map(({ nodeId, name }) => [nodeId, name]));
  const view = { zone: "UTC", nowMs: ctx.now() };
  return {
    lines: investigationLines(investigations, (nodeId) => names.get(nodeId), view),
    total,
    pageSize: PAGE_SIZE,
    filter: { search: search ?? "", status: status ?? "", page },
    faults,
  };
}

/** One investigation, or undefined where there is none; asked once a request. */
export const loadInvestigationHead = cache(async (idText: string): Promise<Investigation | undefined> => {
  const investigationId = /^[1-9]\d{0,8}$/.test(idText) ? Number(idText) : undefined;
  if (investigationId === undefined) return undefined;
  const { ctx } = await pageContext();
  try {
    return await getInvestigation({ ctx, input: { investigationId } });
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
});

/** Everything that the page of an investigation shows. What pins and figures show comes when it was read. */
export interface InvestigationPage {
  readonly investigation: Investigation;
  readonly entries: readonly Entry[];
  readonly entryTotal: number;
  readonly names: Readonly<Record<number, string>>;
  readonly marks: readonly { readonly annotationId: number; readonly at: number; readonly title: string }[];
  readonly readings: Readonly<Record<number, Promise<PinReading>>>;
  /** By how a text refers to them. */
  readonly effects: Readonly<Record<string, Promise<EffectReading>>>;
  /** Links to it; undefined for somebody who may make none. */
  readonly shares: readonly Share[] | undefined;
  /** Where it came from; undefined where it was opened here. */
  readonly imported: { readonly text: string; readonly contentHash: string } | undefined;
  readonly readAtMs: number;
}

/** Reads an investigation, or undefined where there is none. */
export async function loadInvestigation(idText: string): Promise<InvestigationPage | undefined> {
  const investigation = await loadInvestigationHead(idText);
  if (!investigation) return undefined;
  const { ctx, runtime } = await pageContext();
  const { investigationId, nodeIds, window } = investigation;
  const nowMs = ctx.now();
  const reader = { ctx, silentAfterMs: runtime.silentAfterMs, nowMs };
  const mayShare =
    ctx.actor.kind !== "token" && ctx.actor.kind !== "share" && isAtLeast(roleOf(ctx.actor), "investigator");
  const [{ entries, total }, nodes, { annotations }, links, imported] = await Promise.all([
    listLogEntries({ ctx, input: { investigationId, limit: MOST_ENTRIES, offset: 0 } }),
    listVisibleNodes(ctx),
    listAnnotations({ ctx, input: { fromMs: window.from, toMs: window.to ?? nowMs } }),
    mayShare ? listShares({ ctx, input: { investigationId } }) : undefined,
    readImported(ctx.db, investigationId),
  ]);
  const concerned = new Set(nodeIds);
  const own = new Set([...nodeIds, ...entries.flatMap((entry) => entry.nodeIds)]);
  return {
    investigation,
    entries,
    entryTotal: total,
    names: Object.fromEntries(
      nodes.filter(({ nodeId }) => own.has(nodeId)).map(({ nodeId, name }) => [nodeId, name]),
    ),
    marks: annotations
      .filter((mark) => mark.nodeIds.some((nodeId) => concerned.has(nodeId)))
      .slice(-MOST_MARKS)
      .toReversed()
      .map(({ annotationId, at, title }) => ({ annotationId, at, title })),
    readings: Object.fromEntries(
      investigation.pins.map((pin) => {
        const came = imported?.readings[pin.number];
        const reading =
          imported && came ? readingWithOrigins(imported, pin.number, came) : readPin(reader, pin);
        return [pin.number, Promise.resolve(reading)];
      }),
    ),
    effects: Object.fromEntries(
      effectReferences(investigation, entries).map((to) => [
        referenceText(to),
        Promise.resolve(
          imported?.effects[referenceText(to)] ?? readEffect(reader, to.annotationId, to.nodeId, nodeIds),
        ),
      ]),
    ),
    shares: links?.shares,
    imported:
      investigation.imported && imported
        ? {
            text: importedText(investigation.imported, imported.head.nodes, { zone: "UTC", nowMs }),
            contentHash: investigation.imported.contentHash,
          }
        : undefined,
    readAtMs: nowMs,
  };
}
