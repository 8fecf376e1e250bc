import type { StandingText } from "#lib/charts/experiment-model.ts";
import { Verdict } from "../ui/verdict.tsx";

/** Where an experiment stands, with what is to come. */
export function Standing({ standing }: { readonly standing: StandingText }) {
  return (
    <span className="inline-flex flex-wrap gap-x-1.5">
      <Verdict verdict={standing} />
      {standing.note === "" ? null : <span className="text-ink-2">{standing.note}</span>}
    </span>
  );
}
