"use client";

import { useEffect, useMemo } from "react";
import { MARK_FILTER, narrows, readMarkFilter } from "#lib/charts/mark-filter.ts";
import type { MarkFilter } from "#lib/charts/mark-filter.ts";
import { changeAddress } from "../node/change-address.ts";

const STORED = "plumbline-mark-filter";

function queryOf({ kinds, tags }: MarkFilter): URLSearchParams {
  return new URLSearchParams([
    ...kinds.map((kind) => [MARK_FILTER.kind, kind]),
    ...tags.map((tag) => [MARK_FILTER.tag, tag]),
  ]);
}

/** Puts a filter into the address of the page, in place of the one that is there. */
function write({ kinds, tags }: MarkFilter): void {
  changeAddress({ [MARK_FILTER.kind]: kinds, [MARK_FILTER.tag]: tags }, "replace");
}

/**
 * The filter of the page's address. One that was set is remembered in this browser and goes into the next address that names
 * none, so that what an address shows always stands in it.
 */
export function useMarkFilter(query: string): {
  readonly filter: MarkFilter;
  readonly setFilter: (filter: MarkFilter) => void;
} {
  const filter = useMemo(() => {
    const parameters = new URLSearchParams(query);
    return readMarkFilter((name) => parameters.getAll(name)).filter;
  }, [query]);
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search);
    if (parameters.has(MARK_FILTER.kind) || parameters.has(MARK_FILTER.tag)) return;
    const stored = new URLSearchParams(window.localStorage.getItem(STORED) ?? "");
    const remembered = readMarkFilter((name) => stored.getAll(name)).filter;
    if (!narrows(remembered)) return;
    // The router listens to the address only once the whole page is mounted.
    const timer = setTimeout(() => write(remembered), 0);
    return () => clearTimeout(timer);
  }, []);
  const setFilter = (next: MarkFilter) => {
    if (narrows(next)) window.localStorage.setItem(STORED, queryOf(next).toString());
    else window.localStorage.removeItem(STORED);
    write(next);
  };
  return { filter, setFilter };
}
