import { forecastModels } from "#lib/charts/forecast-model.ts";
import type { FanDrawing } from "#lib/charts/forecast-model.ts";
import type { Part } from "#lib/charts/node-data.ts";
import type { ForecastList } from "#lib/contracts/forecast.ts";
import { Section } from "../ui/section.tsx";
import { PartFault } from "./part-fault.tsx";

const FAN = { widthPx: 320, heightPx: 64 } as const;

function Fan({ drawing }: { readonly drawing: FanDrawing }) {
  const { widthPx, heightPx } = FAN;
  return (
    <svg
      viewBox={`0 -2 ${widthPx} ${heightPx + 18}`}
      className="w-full max-w-[420px]"
      aria-hidden="true"
      data-part="fan"
    >
      <path d={drawing.band} fill="var(--accent)" fillOpacity={0.18} />
      <line
        x1={0}
        x2={widthPx}
        y1={drawing.limitY}
        y2={drawing.limitY}
        stroke="var(--leaking)"
        strokeWidth={1}
      />
      <line
        x1={drawing.nowX}
        x2={drawing.nowX}
        y1={0}
        y2={heightPx}
        stroke="var(--line-3)"
        strokeDasharray="3 3"
      />
      <path d={drawing.history} fill="none" stroke="var(--ink)" strokeWidth={1.5} />
      <path d={drawing.line} fill="none" stroke="var(--accent)" strokeWidth={1.5} />
      <rect
        x={drawing.earliestX}
        y={drawing.limitY - 2.5}
        width={Math.max(2, (drawing.latestX ?? widthPx) - drawing.earliestX)}
        height={5}
        fill="var(--leaking)"
        fillOpacity={0.42}
      />
      <rect x={drawing.endX - 1} y={drawing.limitY - 4} width={2} height={8} fill="var(--leaking)" />
      {drawing.labels.map((label) => (
        <text
          key={label.anchor}
          x={label.x}
          y={heightPx + 13}
          textAnchor={label.anchor}
          fontSize={10}
          fill="var(--ink-2)"
        >
          {label.text}
        </text>
      ))}
    </svg>
  );
}

/** What of the node runs out, when, and how sure that is; and why nothing is foreseen where nothing is. */
export function TimeLeft({
  part,
  zone,
  nowMs,
}: {
  readonly part: Part<ForecastList>;
  readonly zone: string;
  readonly nowMs: number;
}) {
  return (
    <Section id="h-left" title="Time left" note="if growth goes on as since it last changed; fan 95 %">
      {part.ok ? (
        <div className="grid gap-y-3 text-sm">
          {forecastModels(part.data.forecasts, FAN, { zone, nowMs }).map((model) => (
            <div key={model.metric} data-metric={model.metric}>
              <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium [overflow-wrap:anywhere]">
                {model.title}
                {model.left ? (
                  <>
                    <span className="text-leaking-ink">{model.left.point}</span>
                    <span className="font-normal text-ink-2">95 %: {model.left.interval}</span>
                  </>
                ) : null}
              </h3>
              {model.drawing ? <Fan drawing={model.drawing} /> : null}
              <p className="max-w-[80ch] text-ink-2">{model.text}</p>
            </div>
          ))}
        </div>
      ) : (
        <PartFault part={part} title="The forecast could not be read" />
      )}
    </Section>
  );
}
