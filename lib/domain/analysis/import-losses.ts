import { formatCount } from "#lib/domain/memory/quantity.ts";

/** Moments of a history that did not become snapshots. */
export interface LeftOut {
  /** Of a time at which the node's own collector reports. */
  readonly ownCollector: number;
  /** Older than anything that is kept. */
  readonly tooOld: number;
  /** Without what a snapshot cannot do without, by the missing series. */
  readonly incomplete: Readonly<Record<string, number>>;
}

/** What an import left out, a sentence each; empty when nothing. */
export function importLosses({ ownCollector, tooOld, incomplete }: LeftOut): string[] {
  const leftOut = (count: number, why: string) =>
    count > 0 ? [`${formatCount(count, "moment")} left out: ${why}.`] : [];
  return [
    ...leftOut(ownCollector, "the node's own collector reports from then on"),
    ...leftOut(tooOld, "older than anything that is kept (PLUMBLINE_RETENTION_1H_DAYS)"),
    ...Object.entries(incomplete).flatMap(([series, count]) =>
      leftOut(count, `there is no ${series}, without which there is no snapshot`),
    ),
  ];
}
