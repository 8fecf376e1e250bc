"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { COHORT_METRICS, COHORT_WINDOWS, cohortPath } from "#lib/charts/cohort-model.ts";
import type { CohortAddress } from "#lib/charts/cohort-model.ts";
import { PinPage } from "../investigation/pin-button.tsx";
import { Segments } from "../ui/button.tsx";

/** Chooses metric and window; the address is the state. */
export function CohortControls({ address }: { readonly address: CohortAddress }) {
  const router = useRouter();
  const [waiting, startTransition] = useTransition();
  const go = (change: Partial<CohortAddress>) =>
    startTransition(() => router.push(cohortPath({ ...address, ...change }), { scroll: false }));
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line-2 py-2" aria-busy={waiting}>
      <Segments
        label="Window of the trends"
        value={address.window}
        options={COHORT_WINDOWS}
        onChoose={(window) => go({ window })}
      />
      <select
        aria-label="Metric"
        value={address.metric}
        onChange={(event) => go({ metric: event.target.value })}
        className="h-8 max-w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink md:h-7"
      >
        {COHORT_METRICS.some(({ value }) => value === address.metric) ? null : (
          <option value={address.metric}>{address.metric}</option>
        )}
        {COHORT_METRICS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <PinPage
        kind="table"
        caption="What leaking nodes have in common"
        suggestion="What leaking nodes have in common"
      />
      <span className="text-sm text-ink-2" role="status">
        {waiting ? "reading" : ""}
      </span>
    </div>
  );
}
