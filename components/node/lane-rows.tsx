import { laneChangeText, laneValue } from "#lib/charts/lane-model.ts";
import type { LaneModel } from "#lib/charts/lane-model.ts";
import { LINE_SIGNS } from "../charts/line-signs.ts";

/** The lines of a lane as rows of a readout, each with the name that it has where no title stands above it. */
export function LaneRows({
  lane,
  values,
  changes,
}: {
  readonly lane: LaneModel;
  /** By line; undefined where there is no sample. */
  readonly values: readonly (number | null)[] | undefined;
  /** By line, for a column of its own; without it the value takes both. */
  readonly changes?: readonly (number | null)[];
}) {
  return lane.series.map((each, position) => (
    <tr key={`${lane.key}${each.key}`} className={position === 0 ? "readout-lane" : ""}>
      <th scope="row" className="[overflow-wrap:anywhere]">
        {lane.series.length > 1 ? (
          <span aria-hidden="true" style={{ color: LINE_SIGNS[each.tone].stroke }}>
            {LINE_SIGNS[each.tone].sign}{" "}
          </span>
        ) : null}
        {each.name}
      </th>
      {changes ? <td className="num">{laneChangeText(lane, changes[position])}</td> : null}
      <td className="num" colSpan={changes ? 1 : 2}>
        {laneValue(lane, values?.[position])}
      </td>
    </tr>
  ));
}
