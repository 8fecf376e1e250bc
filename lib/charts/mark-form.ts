import type { Annotation, AnnotationScope } from "#lib/contracts/annotation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";

/** The node that a form stands on, where it does. */
export interface MarkPlace {
  readonly nodeId: number;
  readonly name: string;
  readonly cluster: string;
}

/** How a scope is said; `kept` is one that has no field here and stays as it was written. */
export type ScopeChoice = "node" | "all" | "named" | "labels" | "cluster" | "kept";

/** A scope as it is typed. */
export interface ScopeDraft {
  readonly choice: ScopeChoice;
  /** `name`, `cluster/name` or `#id`, with commas or blanks between. */
  readonly names: string;
  /** `key=value`, with commas between. */
  readonly labels: string;
  readonly cluster: string;
}

/** A scope, or what of it cannot be read. */
export type ReadScope =
  { readonly ok: true; readonly scope: AnnotationScope } | { readonly ok: false; readonly message: string };

function readNames(text: string, place: MarkPlace | undefined): ReadScope {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) return { ok: false, message: "Name at least one node." };
  const nodes: NonNullable<AnnotationScope["nodes"]> = [];
  for (const word of words) {
    const slash = word.indexOf("/");
    if (/^#\d{1,9}$/.test(word)) nodes.push(Number(word.slice(1)));
    else if (slash > 0) nodes.push({ cluster: word.slice(0, slash), name: word.slice(slash + 1) });
    else if (place) nodes.push({ cluster: place.cluster, name: word });
    else return { ok: false, message: `Say the cluster as well: cluster/${word.slice(0, 60)}.` };
  }
  return { ok: true, scope: { nodes } };
}

function readLabels(text: string): ReadScope {
  const pairs = text
    .split(",")
    .map((pair) => pair.trim())
    .filter(Boolean);
  if (pairs.length === 0) return { ok: false, message: "Give at least one label, such as zone=a." };
  const bad = pairs.find((pair) => pair.indexOf("=") < 1);
  if (bad !== undefined)
    return { ok: false, message: `A label is key=value; \u201c${bad.slice(0, 60)}\u201d is not.` };
  const cut = (pair: string) =>
    [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const;
  return { ok: true, scope: { labels: Object.fromEntries(pairs.map(cut)) } };
}

/** The scope that a draft means. `before` is what an edited mark had, for the choice that keeps it. */
export function readScope(
  draft: ScopeDraft,
  place: MarkPlace | undefined,
  before: AnnotationScope | undefined,
): ReadScope {
  switch (draft.choice) {
    case "node":
      return place ? { ok: true, scope: { nodes: [place.nodeId] } } : readNames(draft.names, place);
    case "all":
      return { ok: true, scope: {} };
    case "named":
      return readNames(draft.names, place);
    case "labels":
      return readLabels(draft.labels);
    case "cluster":
      return draft.cluster.trim() === ""
        ? { ok: false, message: "Name the cluster." }
        : { ok: true, scope: { cluster: draft.cluster.trim() } };
    case "kept":
      return { ok: true, scope: before ?? {} };
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The draft of a scope: the one field that says all of it, else `kept`. Without a scope the form's own node, or nothing yet. */
export function scopeDraft(
  scope: AnnotationScope | undefined,
  place: MarkPlace | undefined,
  nodeIds: readonly number[] = [],
): ScopeDraft {
  const blank = { names: place?.name ?? "", labels: "", cluster: place?.cluster ?? "" };
  if (scope === undefined) return { ...blank, choice: place ? "node" : "named" };
  const parts = [scope.nodes, scope.labels, scope.cluster].filter((part) => part !== undefined);
  if (parts.length === 0) return { ...blank, choice: "all" };
  if (place && parts.length === 1 && scope.nodes?.length === 1 && same(nodeIds, [place.nodeId]))
    return { ...blank, choice: "node" };
  const names = (scope.nodes ?? [])
    .map((each) =>
      typeof each === "number"
        ? `#${each}`
        : each.cluster === place?.cluster
          ? each.name
          : `${each.cluster}/${each.name}`,
    )
    .join(", ");
  const labels = Object.entries(scope.labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
  const drafts: ScopeDraft[] = [
    { ...blank, choice: "named", names },
    { ...blank, choice: "labels", labels },
    { ...blank, choice: "cluster", cluster: scope.cluster ?? "" },
  ];
  // A name with a blank in it, or labels within a cluster, cannot be typed here: such a scope stays as it is.
  const fits = drafts.find((draft) => {
    const read = readScope(draft, place, undefined);
    return read.ok && same(read.scope, scope);
  });
  return fits ?? { ...blank, choice: "kept" };
}

/** A scope in a few words: `all nodes`, `zone=a in east`, `3 nodes by name`. Never reorders what stands around it. */
export function scopeText(scope: AnnotationScope): string {
  const { nodes, labels, cluster } = scope;
  const said = [
    nodes === undefined ? "" : `${formatCount(nodes.length, "node")} by name`,
    labels === undefined
      ? ""
      : `nodes with ${Object.entries(labels)
          .map(([key, value]) => isolatedText(`${key}=${value}`))
          .join(", ")}`,
    cluster === undefined ? "" : `in ${isolatedText(cluster)}`,
  ].filter(Boolean);
  if (said.length === 0) return "all nodes";
  return nodes === undefined && labels === undefined ? `all nodes ${said.join(" ")}` : said.join(" ");
}

/** Tags as they are typed, with commas between; each once. */
export function readTags(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}

/** What is wrong with typed tags; undefined where nothing is. */
export function tagsFault(text: string): string | undefined {
  const tags = readTags(text);
  if (tags.length > 20) return "At most 20 tags.";
  const long = tags.find((tag) => tag.length > 64);
  return long === undefined ? undefined : `A tag has at most 64 characters: ${long.slice(0, 40)}\u2026`;
}

/** Tags as they are typed; undefined where one holds a comma, so that a field with commas would alter it. */
export function tagsDraft(tags: Annotation["tags"]): string | undefined {
  const text = tags.join(", ");
  return same(readTags(text), tags) ? text : undefined;
}
