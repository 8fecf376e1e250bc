import Link from "next/link";
import { cohortPath } from "#lib/charts/cohort-model.ts";
import type { CohortAddress, CohortModel } from "#lib/charts/cohort-model.ts";
import { TREND_WINDOWS } from "#lib/domain/analysis/trend-windows.ts";
import { StatePanel } from "../ui/state-panel.tsx";
import { AttributeRanking } from "./attribute-ranking.tsx";
import { CohortControls } from "./cohort-controls.tsx";
import { CohortValues } from "./cohort-values.tsx";
import { Headline } from "../ui/headline.tsx";

/** What leaking nodes have in common: the answer, the ranking of attributes, the values of the chosen one. */
export function CohortView({
  model,
  address,
}: {
  readonly model: CohortModel;
  readonly address: CohortAddress;
}) {
  if (model.counts.nodes === 0) return <NoNodes address={address} />;
  return (
    <>
      <div className="grid gap-2 py-4">
        <Headline>{model.sentence}</Headline>
        <p className="text-ink-2">
          {model.below}
          {address.cluster === undefined ? null : (
            <>
              {" "}
              <Link
                href={cohortPath({ ...address, cluster: undefined })}
                prefetch={false}
                className="underline"
              >
                All clusters
              </Link>
            </>
          )}
        </p>
        {model.counts.leaking === 0 || model.counts.healthy === 0 ? (
          <p className="max-w-[118ch] text-ink-2">
            A comparison needs nodes on both sides.{" "}
            {address.window === TREND_WINDOWS.at(-1)
              ? "Until then the values"
              : "A longer window decides more nodes; until then the values"}{" "}
            below show how each one grows.
          </p>
        ) : null}
      </div>
      <CohortControls address={address} />
      <div className="grid gap-6">
        <AttributeRanking rows={model.attributes} />
        {model.chosen ? <CohortValues chosen={model.chosen} /> : null}
      </div>
    </>
  );
}

function NoNodes({ address }: { readonly address: CohortAddress }) {
  return (
    <div className="py-4">
      <StatePanel
        title={
          address.cluster === undefined
            ? "No node has reported yet"
            : `No node is in cluster ${address.cluster}`
        }
        heading="h1"
      >
        <p>
          Nodes are compared once they report and their first trend is there, half an hour after their first
          snapshot.
        </p>
        <Link href={address.cluster === undefined ? "/" : "/cohorts"} prefetch={false}>
          {address.cluster === undefined ? "How a node begins to report" : "All clusters"}
        </Link>
      </StatePanel>
    </div>
  );
}

/** An address that cannot be shown: what is wrong with it, and the page without it. */
export function CohortWrong({ message }: { readonly message: string }) {
  return (
    <div className="py-4">
      <StatePanel title="This comparison cannot be shown" tone="error" heading="h1">
        <p>{message}</p>
        <Link href="/cohorts" prefetch={false}>
          Compare by what separates best
        </Link>
      </StatePanel>
    </div>
  );
}
