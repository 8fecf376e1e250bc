import { formatCountShort } from "#lib/charts/format.ts";
import { growthPosition, growthTicks } from "#lib/charts/growth-axis.ts";
import type { VerdictTone } from "#lib/charts/verdict.ts";
import { Whisker } from "../ui/whisker.tsx";

const WIDTH_PX = 92;
/** Half of the widest label of a tick. */
const LABEL_HALF_PX = 14;
type Domain = readonly [number, number];

const xOf = (value: number, domain: Domain) => 4 + growthPosition(value, domain) * (WIDTH_PX - 8);
const shown = (domain: Domain) => growthTicks(domain, 0.2);

/** Labels of the growth axis, printed once in the head of the column. */
export function GrowthAxis({ domain }: { readonly domain: Domain }) {
  return (
    <svg width={WIDTH_PX} height="12" aria-hidden="true" className="max-md:hidden">
      {shown(domain).map((tick) => {
        const x = xOf(tick, domain);
        return (
          <text
            key={tick}
            x={x > WIDTH_PX - LABEL_HALF_PX ? WIDTH_PX : x}
            y="10"
            textAnchor={x > WIDTH_PX - LABEL_HALF_PX ? "end" : "middle"}
            fontSize="11"
            fill="var(--ink-2)"
          >
            {formatCountShort(tick)}
          </text>
        );
      })}
    </svg>
  );
}

/** An estimate with its interval on the axis that all nodes share: bar 95 %, tick the estimate. */
export function GrowthWhisker({
  growth,
  domain,
  tone,
}: {
  readonly growth: readonly [number, number, number] | undefined;
  readonly domain: Domain;
  readonly tone: VerdictTone;
}) {
  return (
    <svg
      width={WIDTH_PX}
      height="18"
      viewBox={`0 0 ${WIDTH_PX} 18`}
      aria-hidden="true"
      className="overflow-visible max-md:overflow-hidden"
    >
      {shown(domain).map((tick) => (
        <line
          key={tick}
          x1={Math.round(xOf(tick, domain)) + 0.5}
          x2={Math.round(xOf(tick, domain)) + 0.5}
          y1="-5"
          y2="23"
          stroke={tick === 0 ? "var(--ink-3)" : "var(--line)"}
        />
      ))}
      {growth ? (
        <Whisker values={growth} xOf={(value) => xOf(value, domain)} middlePx={9} tickPx={11} tone={tone} />
      ) : null}
    </svg>
  );
}
