"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import {
  COHORT_METRICS,
  COHORT_WINDOWS,
  cohortPath,
  cohortWindowOf,
  DEFAULT_COHORT_ADDRESS,
  zoomedCohortWindow,
} from "#lib/charts/cohort-model.ts";
import type { CohortAddress } from "#lib/charts/cohort-model.ts";
import { resolveWindow } from "#lib/charts/view-address.ts";
import { PinPage } from "../investigation/pin-button.tsx";
import { useKeysOfRange } from "../node/use-range.ts";
import { Segments } from "../ui/button.tsx";
import { useNotice } from "../ui/notice.tsx";
import { useSteps } from "../ui/use-steps.ts";

/** Chooses metric and window; the address is the state. */
export function CohortControls({ address }: { readonly address: CohortAddress }) {
  const router = useRouter();
  const [waiting, startTransition] = useTransition();
  const say = useNotice();
  const show = (path: string) => startTransition(() => router.push(path, { scroll: false }));
  const steps = useSteps(cohortPath(address), show);
  const go = (change: Partial<CohortAddress>) => steps.go(cohortPath({ ...address, ...change }));
  useKeysOfRange({
    timezone: "utc",
    fix: () => say("Nodes are compared by trends that are kept up to now: their window has no fixed ends."),
    copied: () => JSON.stringify({ from: `now-${address.window}`, to: "now" }),
    paste: (range) => {
      const pasted = resolveWindow({ ...range, timezone: "utc" }, Date.now(), "UTC");
      if (!pasted) return;
      const window = cohortWindowOf(pasted);
      if (range.to.trim() !== "now" || range.from.trim() !== `now-${window}`)
        say(`Nodes are compared over the last 6 h, 24 h or 7 d: ${window} is nearest to what was copied.`);
      go({ window });
    },
    zoomBy: (factor) => go({ window: zoomedCohortWindow(address.window, factor) }),
    back: steps.back,
    reset: () => go({ window: DEFAULT_COHORT_ADDRESS.window }),
  });
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
