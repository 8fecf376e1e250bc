import { laneValue } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";

/** The lines of a lane as rows of a readout; `values` by line, undefined where there is no sample. */
export function LaneRows({
  lane,
  values,
}: {
  readonly lane: LaneModel;
  readonly values: readonly (number | null)[] | undefined;
}) {
  return lane.series.map((each, position) => (
    <tr key={`${lane.key}${each.key}`} className={position === 0 ? "readout-lane" : ""}>
      <th scope="row" className="[overflow-wrap:anywhere]">
        {lane.key === "cgroups" ? `memory cgroups ${each.label}` : each.label}
      </th>
      <td className="num" colSpan={2}>
        {laneValue(lane, values?.[position])}
      </td>
    </tr>
  ));
}
