import { DEFAULT_DRIVER } from "#lib/domain/memory/metrics.ts";
import type { CreatorList } from "#lib/contracts/creators.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import { watchedDirectory } from "./correlation-model.ts";
import { formatDuration, formatNumber } from "./format.ts";

/** One creator as a line of the list. */
export interface CreatorRow {
  readonly name: string;
  readonly metric: string;
  readonly created: string;
  readonly perHour: string;
  readonly share: string;
  /** Length of its bar, 0 to 100. */
  readonly barPercent: number;
  /** Growth is held against this one now. */
  readonly isDriver: boolean;
}

export interface CreatorsModel {
  readonly rows: readonly CreatorRow[];
  /** What stands in place of the list where it is empty: none were seen, or nobody told. */
  readonly emptyTitle: string;
  /** Over how long, and how many more there are. */
  readonly note: string;
  readonly text: string;
  /** Whose containers growth is held against; undefined when it is all of them. */
  readonly driverName: string | undefined;
}

/** Prepares the list of who creates containers; `driver` is the series that growth is held against. */
export function creatorsModel(answer: CreatorList, driver: string): CreatorsModel {
  const chosen = answer.creators.find(({ metric }) => metric === driver);
  return {
    rows: answer.creators.map(({ name, metric, created, perHour, share }) => ({
      name,
      metric,
      created: formatNumber(created),
      perHour: formatNumber(perHour, perHour < 10 ? 1 : 0),
      share: `${formatNumber(100 * share, share < 0.1 ? 1 : 0)} %`,
      barPercent: 100 * share,
      isDriver: metric === driver,
    })),
    emptyTitle:
      answer.seen === null ? "Who creates containers was not reported" : "No new container was seen",
    note: [
      ...(answer.coveredMs > 0 ? [`over ${formatDuration(answer.coveredMs)}`] : []),
      ...(answer.more > 0 ? [`${formatNumber(answer.more)} more with fewer`] : []),
    ].join(", "),
    text: answer.text,
    driverName:
      driver === DEFAULT_DRIVER || watchedDirectory(driver) !== undefined
        ? undefined
        : (chosen?.name ?? driver),
  };
}

/** The list as a table. */
export function creatorsTable(answer: CreatorList): PlainTable {
  return {
    columns: ["creator", "created", "per hour", "share"],
    rows: answer.creators.map(({ name, created, perHour, share }) => [
      name,
      created,
      Math.round(perHour * 100) / 100,
      Math.round(share * 10_000) / 10_000,
    ]),
  };
}
