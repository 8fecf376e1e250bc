import { pagesToKib } from "../memory/kib.ts";

/**
 * Pages that drivers pinned and did not release, as quantities of evidence: what /proc/vmstat counts since 5.7. KiB only where the
 * size of a page is known.
 */
export function pinnedLevels(
  vmstat: (key: "nr_foll_pin_acquired" | "nr_foll_pin_released") => number | undefined,
  pageSizeBytes: number | undefined,
): Record<string, number> {
  const [acquired, released] = [vmstat("nr_foll_pin_acquired"), vmstat("nr_foll_pin_released")];
  if (acquired === undefined || released === undefined) return {};
  const pages = acquired - released;
  return {
    "pins.pages": pages,
    ...(pageSizeBytes !== undefined && { "pins.kib": pagesToKib(pages, pageSizeBytes) }),
  };
}
