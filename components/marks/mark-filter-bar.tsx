"use client";

import { filterChoices, narrows, toggled } from "#lib/charts/mark-filter.ts";
import type { FilterChoice, MarkFilter } from "#lib/charts/mark-filter.ts";
import { formatNumber } from "#lib/charts/format.ts";
import type { Annotation } from "#lib/contracts/annotation.ts";

function Choice<Value extends string>({
  choice,
  sign,
  onToggle,
}: {
  readonly choice: FilterChoice<Value>;
  readonly sign: string;
  readonly onToggle: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={choice.on}
      onClick={onToggle}
      className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-2 border border-line-2 px-1.5 text-ink-2 hover:bg-surface-2 aria-pressed:border-ink aria-pressed:bg-surface-3 aria-pressed:text-ink"
    >
      <bdi className="truncate">
        {sign}
        {choice.value}
      </bdi>
      <span>{formatNumber(choice.count)}</span>
    </button>
  );
}

/** Which marks are shown: kinds and tags of those there are, to be switched on one by one. */
export function MarkFilterBar({
  marks,
  filter,
  hidden,
  onChange,
}: {
  readonly marks: readonly Pick<Annotation, "kind" | "tags">[];
  readonly filter: MarkFilter;
  /** How many the filter hides. */
  readonly hidden: number;
  readonly onChange: (filter: MarkFilter) => void;
}) {
  const { kinds, tags } = filterChoices(marks, filter);
  if (kinds.length + tags.length < 2 && !narrows(filter)) return null;
  return (
    <div
      role="group"
      aria-label="Marks shown, by kind and tag"
      className="flex flex-wrap items-center gap-1.5 pb-1.5 text-xs"
    >
      <span className="text-ink-2">show</span>
      {kinds.map((choice) => (
        <Choice
          key={choice.value}
          choice={choice}
          sign=""
          onToggle={() => onChange({ ...filter, kinds: toggled(filter.kinds, choice.value) })}
        />
      ))}
      {tags.map((choice) => (
        <Choice
          key={choice.value}
          choice={choice}
          sign="#"
          onToggle={() => onChange({ ...filter, tags: toggled(filter.tags, choice.value) })}
        />
      ))}
      {narrows(filter) ? (
        <button
          type="button"
          className="min-h-6 text-accent-ink hover:underline"
          onClick={() => onChange({ kinds: [], tags: [] })}
        >
          all{hidden > 0 ? ` (${formatNumber(hidden)} hidden)` : ""}
        </button>
      ) : null}
    </div>
  );
}
