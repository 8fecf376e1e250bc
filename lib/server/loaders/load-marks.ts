import "server-only";
import { narrows, readMarkFilter } from "#lib/charts/mark-filter.ts";
import type { MarkListFilter } from "#lib/charts/mark-filter.ts";
import { markRows } from "#lib/charts/mark-list-model.ts";
import type { MarkRow } from "#lib/charts/mark-list-model.ts";
import { readWord } from "#lib/charts/view-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { annotationListQuery } from "#lib/contracts/annotation.ts";
import { LAST_MOMENT_MS } from "#lib/domain/snapshot/last-moment.ts";
import { listAnnotations, listTags } from "#lib/server/services/list-annotations.ts";
import { listVisibleNodes } from "#lib/server/services/resolve-scope.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, pageNumberOf, type PageParameters } from "./page-parameters.ts";

const PAGE_SIZE = 50;
const MOST_TAGS = 60;

/** What the page of marks shows, newest first, and how it was asked. */
export interface MarksPage {
  readonly rows: readonly MarkRow[];
  readonly total: number;
  readonly pageSize: number;
  readonly tags: readonly string[];
  readonly filter: MarkListFilter;
  /** Whether the address narrows the list at all. */
  readonly isNarrowed: boolean;
  readonly faults: readonly AddressFault[];
  readonly nowMs: number;
}

/** Reads one page of all marks; what its address has that cannot be read narrows nothing, and `faults` says so. */
export async function loadMarks(parameters: PageParameters): Promise<MarksPage> {
  const { ctx } = await pageContext();
  const first = firstOf(parameters);
  const { filter: named, faults: kindFaults } = readMarkFilter((name) => [parameters[name] ?? []].flat());
  const faults = [...kindFaults];
  const state = readWord("state", first("state"), annotationListQuery.shape.state.unwrap().options, faults);
  const search = annotationListQuery.shape.search.safeParse(first("search")?.replaceAll("\u0000", "").trim());
  const filter: MarkListFilter = {
    ...named,
    search: search.data ?? "",
    state: state ?? "kept",
    page: pageNumberOf(parameters),
  };
  const [{ annotations, total }, { tags }, nodes] = await Promise.all([
    listAnnotations({
      ctx,
      input: {
        fromMs: 0,
        toMs: LAST_MOMENT_MS,
        kinds: filter.kinds.length > 0 ? filter.kinds : undefined,
        tags: filter.tags,
        search: filter.search,
        deleted: filter.state === "deleted",
        limit: PAGE_SIZE,
        offset: (filter.page - 1) * PAGE_SIZE,
      },
    }),
    listTags({ ctx, input: { limit: MOST_TAGS } }),
    listVisibleNodes(ctx),
  ]);
  const names = new Map(nodes.map(({ nodeId, name }) => [nodeId, name]));
  const nowMs = ctx.now();
  return {
    rows: markRows(annotations.toReversed(), (nodeId) => names.get(nodeId), { zone: "UTC", nowMs }),
    total,
    pageSize: PAGE_SIZE,
    tags: [...new Set([...filter.tags, ...tags.map(({ tag }) => tag)])],
    filter,
    isNarrowed: narrows(filter) || filter.search !== "" || filter.state !== "kept",
    faults,
    nowMs,
  };
}
