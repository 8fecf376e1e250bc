"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  copiedCompareRange,
  fixedRangesPath,
  pastedRangesPath,
  readCompareRanges,
  zoomedRangesPath,
} from "#lib/charts/compare-range.ts";
import type { CompareRanges } from "#lib/charts/compare-range.ts";
import { useKeysOfRange } from "../node/use-range.ts";
import { useNotice } from "../ui/notice.tsx";
import { useSteps } from "../ui/use-steps.ts";

/** The keys of a range on the page of two: both sides change together, and keep their distance. */
export function useCompareRangeKeys({
  query,
  timezone,
  zone,
  readAtMs,
  show,
}: {
  readonly query: string;
  readonly timezone: string;
  readonly zone: string;
  readonly readAtMs: number;
  /** Shows another address of the page. */
  readonly show: (path: string) => void;
}): void {
  const say = useNotice();
  const router = useRouter();
  const [opened] = useState(query);
  const here = `/compare?${query}`;
  const { go, back } = useSteps(here, show);
  const withRanges = <Result>(change: (ranges: CompareRanges) => Result): Result | undefined => {
    const ranges = readCompareRanges(query, readAtMs, zone);
    if (ranges) return change(ranges);
    say("The clock of these sides begins with a boot or a mark: there is no range to change.");
    return undefined;
  };
  useKeysOfRange({
    timezone,
    fix: () => go(withRanges((ranges) => fixedRangesPath(query, ranges))),
    copied: () => withRanges(copiedCompareRange),
    paste: (pasted) => go(withRanges((ranges) => pastedRangesPath(query, ranges, pasted, Date.now(), zone))),
    zoomBy: (factor) => go(withRanges((ranges) => zoomedRangesPath(query, ranges, factor, Date.now()))),
    back,
    reset: () => go(`/compare?${opened}`),
    showZone: (next) => {
      const parameters = new URLSearchParams(query);
      parameters.set("timezone", next);
      router.replace(`/compare?${parameters.toString()}`, { scroll: false });
    },
  });
}
