import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { fleetAddressFaults, fleetAnswer } from "#lib/charts/fleet-model.ts";
import type { FleetAnswer } from "#lib/charts/fleet-model.ts";
import { nodeOfAddress } from "#lib/charts/grafana-address.ts";
import type { AddressFault } from "#lib/charts/view-address.ts";
import { describeAttribute } from "#lib/domain/analysis/node-attributes.ts";
import { readFleet, type FleetReading } from "#lib/server/documents/read-fleet.ts";
import { pageContext } from "./page-context.ts";
import { allOf, firstOf, type PageParameters } from "./page-parameters.ts";

/** What the fleet page shows. */
export interface Fleet extends FleetReading {
  readonly answer: FleetAnswer | undefined;
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

/**
 * Reads every node's newest state and prepares its row, so that the browser receives texts and not histories. An address that
 * names one node as Grafana does leads to its page.
 */
export async function loadFleet(parameters: PageParameters): Promise<Fleet> {
  const { ctx, runtime } = await pageContext();
  const parameter = firstOf(parameters);
  const reading = await readFleet(ctx, runtime.silentAfterMs, parameter);
  const named = nodeOfAddress(allOf(parameters), reading.rows);
  if (named && "path" in named) redirect(named.path);
  const [key, value] = [parameter("attribute"), parameter("value")];
  const attribute = key === undefined ? undefined : describeAttribute(key);
  const host = (await headers()).get("host") ?? "localhost";
  const cohort =
    key === undefined
      ? undefined
      : {
          text: `${attribute?.label ?? key} ${value ?? "not reported"}`,
          wrong: attribute === undefined ? `There is no attribute ${key}` : undefined,
        };
  return {
    ...reading,
    answer: fleetAnswer(reading.rows, reading.shown),
    server: `http://${host}`,
    cohort,
    faults: [...fleetAddressFaults(parameter), ...(named ? [named.fault] : [])],
  };
}
