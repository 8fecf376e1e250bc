import type { CohortDotKind, CohortRow } from "#lib/charts/cohort-model.ts";

const HEIGHT_PX = 30;
const percent = (part: number) => `${(100 * part).toFixed(2)}%`;

const DOTS: Readonly<Record<CohortDotKind, { fill: string; stroke: string; opacity: number }>> = {
  leaking: { fill: "var(--leaking)", stroke: "var(--leaking)", opacity: 0.85 },
  undecided: { fill: "var(--growing)", stroke: "var(--growing)", opacity: 0.3 },
  healthy: { fill: "none", stroke: "var(--flat)", opacity: 1 },
};

/** A dot as the strips draw it, to stand beside its word. */
export function DotKey({ kind }: { readonly kind: CohortDotKind }) {
  return (
    <svg width="10" height="10" aria-hidden="true" className="inline-block">
      <Dot kind={kind} cx="5" cy={5} />
    </svg>
  );
}

function Dot({
  kind,
  cx,
  cy,
  title,
}: {
  readonly kind: CohortDotKind;
  readonly cx: string;
  readonly cy: number;
  readonly title?: string;
}) {
  const { fill, stroke, opacity } = DOTS[kind];
  return (
    <circle cx={cx} cy={cy} r="3" fill={fill} fillOpacity={opacity} stroke={stroke} strokeWidth="1.2">
      {title === undefined ? null : <title>{title}</title>}
    </circle>
  );
}

/** Growth of each node of one value on the axis that all values share: a dot a node, the box from quartile to quartile, the tick the median. */
export function SlopeStrip({
  row: { dots, box },
  ticks,
}: {
  readonly row: Pick<CohortRow, "dots" | "box">;
  readonly ticks: readonly { readonly text: string; readonly at: number }[];
}) {
  return (
    <svg width="100%" height={HEIGHT_PX} aria-hidden="true" className="block overflow-visible">
      {ticks.map((tick) => (
        <line
          key={tick.text}
          x1={percent(tick.at)}
          x2={percent(tick.at)}
          y1="-3"
          y2={HEIGHT_PX + 3}
          stroke={tick.text === "0" ? "var(--ink-3)" : "var(--line)"}
        />
      ))}
      {box ? (
        <>
          <rect
            x={percent(box[0])}
            width={percent(Math.max(0.003, box[2] - box[0]))}
            y="3"
            height={HEIGHT_PX - 6}
            fill="var(--surface-3)"
          />
          <line
            x1={percent(box[1])}
            x2={percent(box[1])}
            y1="1"
            y2={HEIGHT_PX - 1}
            stroke="var(--ink)"
            strokeWidth="2"
          />
        </>
      ) : null}
      {dots.map((dot) => (
        <Dot
          key={dot.nodeId}
          kind={dot.kind}
          cx={percent(dot.at)}
          cy={HEIGHT_PX / 2 + dot.offPx}
          title={dot.title}
        />
      ))}
    </svg>
  );
}

/** Labels of the axis above the strips. */
export function SlopeAxis({
  ticks,
}: {
  readonly ticks: readonly { readonly text: string; readonly at: number }[];
}) {
  return (
    <svg width="100%" height="12" aria-hidden="true" className="block overflow-visible">
      {ticks.map((tick) => (
        <text
          key={tick.text}
          x={percent(tick.at)}
          y="10"
          textAnchor="middle"
          fontSize="11"
          fill="var(--ink-2)"
        >
          {tick.text}
        </text>
      ))}
    </svg>
  );
}
