import type { VerdictTone } from "#lib/charts/verdict.ts";

const FILLS: Readonly<Record<VerdictTone, string>> = {
  leaking: "var(--leaking)",
  growing: "var(--growing)",
  flat: "var(--flat)",
  shrinking: "var(--shrinking)",
  unknown: "var(--unknown)",
  ok: "var(--ok)",
};

/** An estimate with its interval, in an SVG: bar 95 %, tick the estimate. `xOf` places a value, in pixels. */
export function Whisker({
  values: [estimate, lower, upper],
  xOf,
  middlePx,
  tickPx,
  tone,
}: {
  readonly values: readonly [number, number, number];
  readonly xOf: (value: number) => number;
  readonly middlePx: number;
  readonly tickPx: number;
  readonly tone: VerdictTone;
}) {
  const fill = FILLS[tone];
  return (
    <>
      <rect
        x={xOf(lower)}
        width={Math.max(2, xOf(upper) - xOf(lower))}
        y={middlePx - 2.5}
        height="5"
        fill={fill}
        fillOpacity="0.42"
      />
      <rect x={xOf(estimate) - 1} y={middlePx - tickPx / 2} width="2" height={tickPx} fill={fill} />
    </>
  );
}
