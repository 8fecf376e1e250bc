import type { ShareLine } from "#lib/charts/share-model.ts";
import { Verdict } from "../ui/verdict.tsx";

/** What is to be known of a link, in a line. */
export function ShareFacts({ line }: { readonly line: ShareLine }) {
  return (
    <>
      <b className="w-11 font-semibold">{line.kind}</b>
      <Verdict verdict={line.standing} />
      <span className="[overflow-wrap:anywhere]">{line.made}</span>
      {line.facts.length === 0 ? null : <span>{line.facts.join(", ")}</span>}
      <span className="text-ink-2">{line.opened}</span>
      {line.contentHash === undefined ? null : (
        <span className="text-ink-2" title={`SHA-256 ${line.contentHash}`}>
          SHA-256 <code>{line.contentHash.slice(0, 12)}</code>
        </span>
      )}
    </>
  );
}
