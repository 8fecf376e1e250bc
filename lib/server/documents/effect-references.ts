import { referencesOf } from "#lib/charts/markdown.ts";
import type { MarkdownReference } from "#lib/charts/markdown.ts";
import type { Entry, Investigation } from "#lib/contracts/investigation.ts";

/** Every effect that the texts and hypotheses of an investigation refer to. */
export function effectReferences(
  { conclusion, text, hypotheses }: Pick<Investigation, "conclusion" | "text" | "hypotheses">,
  entries: readonly Entry[],
): Extract<MarkdownReference, { kind: "effect" }>[] {
  const texts = [
    conclusion,
    text,
    ...hypotheses.map((each) => each.text),
    ...entries.flatMap((each) => (each.kind === "note" ? [each.text] : [])),
  ];
  return [
    ...texts.flatMap(referencesOf).flatMap((to) => (to.kind === "effect" ? [to] : [])),
    ...hypotheses.flatMap(({ evidence }) =>
      evidence.flatMap((each) =>
        each.kind === "effect"
          ? [{ kind: "effect" as const, annotationId: each.annotationId, nodeId: each.nodeId }]
          : [],
      ),
    ),
  ];
}
