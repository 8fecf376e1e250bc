import { annotationKind, type Annotation, type AnnotationKind } from "#lib/contracts/annotation.ts";
import type { AddressFault } from "./view-address.ts";
import { readWord } from "./view-address.ts";

/** Which marks are shown: those of one of `kinds` that have all `tags`; an empty list narrows nothing. */
export interface MarkFilter {
  readonly kinds: readonly AnnotationKind[];
  readonly tags: readonly string[];
}

/** What the list of all marks is narrowed to. */
export interface MarkListFilter extends MarkFilter {
  /** Empty where nothing is searched for. */
  readonly search: string;
  readonly state: "kept" | "deleted";
  readonly page: number;
}

/** Names of the filter's parameters; both may be repeated. */
export const MARK_FILTER = { kind: "kind", tag: "tag" } as const;

/** Reads a filter from an address. A word that is no kind narrows nothing, and `faults` says so. */
export function readMarkFilter(all: (name: string) => readonly string[]): {
  readonly filter: MarkFilter;
  readonly faults: readonly AddressFault[];
} {
  const faults: AddressFault[] = [];
  const kinds = all(MARK_FILTER.kind).flatMap(
    (word) => readWord("kind", word, annotationKind.options, faults) ?? [],
  );
  const tags = all(MARK_FILTER.tag)
    .map((tag) => tag.replaceAll("\u0000", "").trim())
    .filter((tag) => tag !== "" && tag.length <= 64 && tag.isWellFormed());
  return {
    filter: { kinds: [...new Set(kinds)].slice(0, 20), tags: [...new Set(tags)].slice(0, 20) },
    faults,
  };
}

/** Whether a filter narrows anything. */
export function narrows({ kinds, tags }: MarkFilter): boolean {
  return kinds.length > 0 || tags.length > 0;
}

/** Whether a filter lets a mark through. */
export function passes({ kinds, tags }: MarkFilter, mark: Pick<Annotation, "kind" | "tags">): boolean {
  return (kinds.length === 0 || kinds.includes(mark.kind)) && tags.every((tag) => mark.tags.includes(tag));
}

/** A choice of the filter: how many marks it would show by itself, and whether it is taken. */
export interface FilterChoice<Value extends string> {
  readonly value: Value;
  readonly count: number;
  readonly on: boolean;
}

const MOST_TAGS = 12;

/** Kinds and tags of some marks, the most frequent first, and those that the filter names all the same. */
export function filterChoices(
  marks: readonly Pick<Annotation, "kind" | "tags">[],
  filter: MarkFilter,
): {
  readonly kinds: readonly FilterChoice<AnnotationKind>[];
  readonly tags: readonly FilterChoice<string>[];
} {
  const choices = <Value extends string>(values: readonly Value[], taken: readonly Value[]) => {
    const counts = new Map<Value, number>(taken.map((value) => [value, 0]));
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .map(([value, count]): FilterChoice<Value> => ({ value, count, on: taken.includes(value) }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  };
  const tags = choices(
    marks.flatMap((mark) => mark.tags),
    filter.tags,
  );
  return {
    kinds: choices(
      marks.map((mark) => mark.kind),
      filter.kinds,
    ),
    tags: tags.filter(({ on }, index) => on || index < MOST_TAGS),
  };
}

/** A list with a value added, or taken out where it was in. */
export function toggled<Value>(list: readonly Value[], value: Value): readonly Value[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
}
