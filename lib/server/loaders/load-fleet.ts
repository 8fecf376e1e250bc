import "server-only";
import { headers } from "next/headers";
import { fleetAddressFaults, fleetAnswer, fleetRow, fleetShown } from "#lib/charts/fleet-model.ts";
import type { FleetAnswer, FleetRow, FleetShown } from "#lib/charts/fleet-model.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { listNodes } from "#lib/server/services/list-nodes.ts";
import { pageContext } from "./page-context.ts";
import { firstOf, type PageParameters } from "./page-parameters.ts";

/** Most nodes that the page lists; the API pages beyond. */
const MOST_NODES = 2000;

/** What the fleet page shows. */
export interface Fleet {
  readonly rows: readonly FleetRow[];
  readonly answer: FleetAnswer | undefined;
  /** Which trends the rows are judged by. */
  readonly shown: FleetShown;
  /** Nodes that there are; more than `rows` only beyond the most that are listed. */
  readonly total: number;
  readonly readAtMs: number;
  /** This server as the reader reached it, for the command that starts a collector. */
  readonly server: string;
  /** The nodes that the address asks for, where it does not mean all; `wrong` says what is wrong with it. */
  readonly cohort: FleetCohort | undefined;
  /** What of the address could not be shown. */
  readonly faults: readonly AddressFault[];
}

/** Nodes of one value of an attribute. */
export interface FleetCohort {
  /** "runc 1.0.0-rc8". */
  readonly text: string;
  readonly wrong: string | undefined;
}

/** Reads every node's newest state and prepares its row, so that the browser receives texts and not histories. */
export async function loadFleet(parameters: PageParameters): Promise<Fleet> {
  const { ctx, runtime } = await pageContext();
  const parameter = firstOf(parameters);
  const shown = fleetShown({ metric: parameter("metric"), window: parameter("window") });
  const [key, value] = [parameter("attribute"), parameter("value")];
  const attribute = key === undefined ? undefined : describeAttribute(key);
  const list = await listNodes({
    ctx,
    input: {
      ...(attribute && { attribute: attribute.key, ...(value !== undefined && { value }) }),
      sort: "leaks",
      order: "desc",
      metric: shown.metric.key,
      window: shown.window,
      page: 1,
      pageSize: MOST_NODES,
      silentAfterMs: runtime.silentAfterMs,
    },
  });
  const readAtMs = ctx.now();
  const rows = list.nodes.map((node) => fleetRow(node, readAtMs));
  const host = (await headers()).get("host") ?? "localhost";
  const cohort =
    key === undefined
      ? undefined
      : {
          text: `${attribute?.label ?? key} ${value ?? "not reported"}`,
          wrong: attribute === undefined ? `There is no attribute ${key}` : undefined,
        };
  return {
    rows,
    answer: fleetAnswer(rows, shown),
    shown,
    total: list.total,
    readAtMs,
    server: `http://${host}`,
    cohort,
    faults: fleetAddressFaults(parameter),
  };
}
