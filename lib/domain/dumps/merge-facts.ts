import type { Artefact } from "./artefact.ts";
import { areDifferentThings } from "./machines.ts";

/** Unit endings stay at the end of a name, so that a reader of names knows the unit. */
const UNIT_ENDING = /(?:_approx)?(?:_count|_percent|_bytes)?$/;

/**
 * The numbers of all artefacts under one set of names. One sample, or several that agree: the plain name. Several samples
 * of one kind that differ: `NAME_first` and `NAME_last` by position in the paste, which need not be order in time; when
 * each has a caption of its own, and these are no moments, they are different things, not a series, and are named `NAME@caption`. When two kinds
 * differ the earlier one's number counts, except for slab caches, which then get the kind as ending.
 */
export function mergeFacts(
  artefacts: readonly Artefact[],
  precedence: readonly string[],
): ReadonlyMap<string, number> {
  const merged = new Map<string, number>();
  const byKind = new Map<string, Artefact[]>();
  for (const artefact of artefacts) {
    const own = byKind.get(artefact.kind);
    if (own) own.push(artefact);
    else byKind.set(artefact.kind, [artefact]);
  }
  const rank = (kind: string) => {
    const place = precedence.indexOf(kind);
    return place === -1 ? precedence.length : place;
  };
  const owners = new Map<string, string>();
  for (const [kind, own] of [...byKind].sort(([a], [b]) => rank(a) - rank(b))) {
    for (const [name, value] of namedFacts(own)) {
      const known = merged.get(name);
      if (known === undefined) {
        merged.set(name, value);
        owners.set(name, kind);
      } else if (name.startsWith("slab:") && known !== value) {
        merged.delete(name);
        merged.set(`${name}_${suffixOf(owners.get(name) ?? "")}`, known);
        merged.set(`${name}_${suffixOf(kind)}`, value);
      }
    }
  }
  return merged;
}

function suffixOf(kind: string): string {
  return kind === "unreclaimable slab info" ? "oom" : kind;
}

function namedFacts(own: readonly Artefact[]): ReadonlyMap<string, number> {
  const [only] = own;
  if (own.length === 1 && only !== undefined) return only.facts;
  const values = new Map<string, { label: string | undefined; value: number }[]>();
  for (const { facts, label } of own) {
    for (const [name, value] of facts) {
      const all = values.get(name);
      if (all) all.push({ label, value });
      else values.set(name, [{ label, value }]);
    }
  }
  const isNoSeries = areDifferentThings(own.map(({ label }) => label));
  const named = new Map<string, number>();
  for (const [name, all] of values) {
    const first = all[0]?.value;
    const last = all.at(-1)?.value;
    if (first === undefined || last === undefined) continue;
    if (all.every(({ value }) => value === first)) named.set(name, first);
    else if (isNoSeries) nameByLabel(name, all, named);
    else named.set(ended(name, "_first"), first).set(ended(name, "_last"), last);
  }
  return named;
}

function nameByLabel(
  name: string,
  all: readonly { label: string | undefined; value: number }[],
  named: Map<string, number>,
): void {
  const byLabel = new Map<string, number[]>();
  for (const { label = "", value } of all) {
    const own = byLabel.get(label);
    if (own) own.push(value);
    else byLabel.set(label, [value]);
  }
  for (const [label, values] of byLabel) {
    const [first] = values;
    const last = values.at(-1);
    if (first === undefined || last === undefined) continue;
    const own = ended(name, `@${label}`);
    if (values.every((value) => value === first)) named.set(own, first);
    else named.set(ended(own, "_first"), first).set(ended(own, "_last"), last);
  }
}

function ended(name: string, ending: string): string {
  const unit = UNIT_ENDING.exec(name)?.[0] ?? "";
  return `${name.slice(0, name.length - unit.length)}${ending}${unit}`;
}
