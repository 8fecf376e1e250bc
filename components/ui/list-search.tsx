"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FormEvent } from "react";
import { formatNumber } from "#lib/charts/format.ts";
import { Button } from "./button.tsx";
import { FIELD_CLASS } from "./field.tsx";
import { StatePanel } from "./state-panel.tsx";

/** How a list is searched, narrowed and stepped through; the address holds all of it. */
export interface ListSearch<Filter> {
  /** As it is typed. */
  readonly search: string;
  readonly type: (search: string) => void;
  /** Shows the list otherwise narrowed, from its first page on. */
  readonly go: (change: Partial<Filter>) => void;
  readonly submit: (event: FormEvent) => void;
}

/** Keeps what is typed until it is sent, and goes where `addressOf` says. */
export function useListSearch<Filter extends { readonly search: string; readonly page: number }>(
  filter: Filter,
  addressOf: (filter: Filter) => string,
): ListSearch<Filter> {
  const router = useRouter();
  const [search, type] = useState(filter.search);
  const go = (change: Partial<Filter>) =>
    router.replace(addressOf({ ...filter, search: search.trim(), page: 1, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go({});
  };
  return { search, type, go, submit };
}

/** Where a list is searched. */
export function SearchBox({
  list: { search, type },
  label,
  placeholder,
  className,
}: {
  readonly list: Pick<ListSearch<unknown>, "search" | "type">;
  readonly label: string;
  readonly placeholder: string;
  /** Its width. */
  readonly className: string;
}) {
  return (
    <input
      type="search"
      value={search}
      onChange={(event) => type(event.target.value)}
      maxLength={200}
      aria-label={label}
      placeholder={placeholder}
      className={`${FIELD_CLASS} ${className} placeholder:text-ink-3 max-md:flex-1`}
    />
  );
}

/** How many there are, at the end of the row that narrows them. */
export function ListCount({ total, one }: { readonly total: number; readonly one: string }) {
  return (
    <>
      <span className="flex-1" />
      <span className="text-sm text-ink-2" aria-live="polite">
        {formatNumber(total)} {total === 1 ? one : `${one}s`}
      </span>
    </>
  );
}

/** Stands for a list that its filter leaves nothing of. */
export function NothingFits({ title, onClear }: { readonly title: string; readonly onClear: () => void }) {
  return (
    <StatePanel title={title}>
      <p>The filter hides them all.</p>
      <Button onClick={onClear}>Clear the filter</Button>
    </StatePanel>
  );
}
