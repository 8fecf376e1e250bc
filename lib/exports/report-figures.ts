import { compareRows } from "#lib/charts/compare-model.ts";
import { compositionFinding, readoutAt } from "#lib/charts/composition-model.ts";
import { correlationModel } from "#lib/charts/correlation-model.ts";
import { DASH, formatKib, formatKibChange } from "#lib/charts/format.ts";
import { formatMomentFull, formatWindow, zoneName } from "#lib/charts/format-time.ts";
import { pinTitle } from "#lib/charts/investigation-model.ts";
import type { ShownPin } from "#lib/charts/investigation-model.ts";
import { placedPins } from "#lib/charts/markdown.ts";
import { effectRows, marksOf } from "#lib/charts/marks-model.ts";
import type { EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import { pinTable } from "#lib/charts/pin-table.ts";
import { bootBoundary } from "#lib/charts/segments.ts";
import type { SharedHead } from "#lib/charts/shared-document.ts";
import { slabLanes } from "#lib/charts/slab-model.ts";
import { trendVerdictText } from "#lib/charts/verdict.ts";
import type { VerdictText } from "#lib/charts/verdict.ts";
import type { TimeWindow } from "#lib/charts/view-address.ts";
import type { ComparedSide } from "#lib/contracts/compare.ts";
import type { PlainTable } from "#lib/contracts/csv.ts";
import type { HypothesisState } from "#lib/contracts/investigation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { absolute } from "./report.ts";
import type { Report } from "./report.ts";

/** One sentence with what it rests on: numbers are in the text, the window in `scope`, the view at `href`. */
export interface Answer {
  readonly verdict: VerdictText | undefined;
  readonly text: string;
  /** Node, mark, window and zone; empty where the sentence says them. */
  readonly scope: string;
  /** Absolute; undefined where nothing leads there. */
  readonly href: string | undefined;
}

/** A pinned view as it is written down. */
export interface ReportFigure {
  readonly number: number;
  readonly title: string;
  readonly pinnedBy: string;
  readonly href: string | undefined;
  /** What it shows in sentences, the one that counts first. */
  readonly answers: readonly Answer[];
  /** A few lines of numbers. */
  readonly summary: PlainTable | undefined;
  /** Every number that is drawn. */
  readonly numbers: PlainTable | undefined;
  readonly reading: PinReading;
}

/** Times are read later, elsewhere: with day and year. */
const LATER = 0;
/** Rows of a list that stand in the text; all of them are among the numbers. */
const MOST_ROWS = 12;

const windowText = ({ fromMs, toMs }: TimeWindow, zone: string) =>
  `${formatWindow(fromMs, toMs, zone, LATER)} ${zoneName(toMs, zone)}`;

/** Prepares a pinned view. */
function reportFigure(report: Report, pin: ShownPin, reading: PinReading): ReportFigure {
  const href = absolute(report, pin.address);
  const said = saidOf(report, reading, href);
  return {
    number: pin.number,
    title: pinTitle(pin),
    pinnedBy: isolatedText(pin.createdBy),
    href,
    numbers: pinTable(reading),
    reading,
    ...said,
  };
}

/** Every pinned view by its number, and those that neither conclusion nor document places, in order. */
export function reportFigures(report: Report): {
  readonly byNumber: ReadonlyMap<number, ReportFigure>;
  readonly others: readonly ReportFigure[];
} {
  const { head, readings } = report.document;
  const figures = head.pins.flatMap((pin) => {
    const reading = readings[pin.number];
    return reading === undefined ? [] : [reportFigure(report, pin, reading)];
  });
  const placed = placedPins(`${head.conclusion}\n\n${head.text}`);
  return {
    byNumber: new Map(figures.map((figure) => [figure.number, figure])),
    others: figures.filter(({ number }) => !placed.has(number)),
  };
}

/** How many hypotheses are in each state. */
export function hypothesisCounts({
  hypotheses,
}: Pick<SharedHead, "hypotheses">): Record<HypothesisState, number> {
  const counts = { open: 0, supported: 0, refuted: 0 };
  for (const { state } of hypotheses) counts[state] += 1;
  return counts;
}

/** The day that a part of the log begins with: it is read in another year. */
export function logDay(atMs: number, zone: string): string {
  return formatMomentFull(atMs, zone).replace(/ \d\d:\d\d:\d\d/, "");
}

/** What a mark did, as a sentence and as the few words that stand in one. */
export function effectAnswer(
  report: Report,
  reading: EffectReading | undefined,
): Answer & { readonly short: string } {
  if (reading === undefined || "message" in reading) {
    const text = `What the mark did is not to be read: ${reading?.message ?? "it was not kept."}`;
    return { verdict: undefined, text, short: "not to be read", scope: "", href: undefined };
  }
  const { verdict, short, sentence, title, when, node, href } = reading;
  const window = windowOfAddress(href);
  return {
    verdict,
    short,
    text: sentence,
    scope: [`${isolatedText(title)}, ${when}`, `on ${isolatedText(node)}`, window].filter(Boolean).join("; "),
    href: absolute(report, href),
  };
}

/** The window that an address of a page names, in UTC; empty without one. */
function windowOfAddress(path: string): string {
  const parameters = new URLSearchParams(path.split("?")[1] ?? "");
  const [fromMs, toMs] = [Number(parameters.get("from") ?? NaN), Number(parameters.get("to") ?? NaN)];
  return Number.isFinite(fromMs) && Number.isFinite(toMs) ? windowText({ fromMs, toMs }, "UTC") : "";
}

type Said = Pick<ReportFigure, "answers" | "summary">;

function saidOf(report: Report, reading: PinReading, href: string | undefined): Said {
  const say = (text: string, scope = "", verdict?: VerdictText): Answer => ({ verdict, text, scope, href });
  switch (reading.kind) {
    case "composition": {
      const { node, trend, composition } = reading;
      const scope = nodeScope(node);
      const whole = [
        ...(trend
          ? [
              say(
                trend.text,
                `${isolatedText(node.name)}; ${windowText({ fromMs: trend.from, toMs: trend.to }, node.zone)}`,
                trendVerdictText(trend.verdict),
              ),
            ]
          : []),
        say(compositionFinding(composition), scope),
      ];
      const effects = effectAnswers(report, reading, href);
      // Over a window in which growth was stopped there is no trend to speak of: what was done says more.
      const isUndecided = trend === undefined || trend.verdict === "insufficient";
      return {
        answers: isUndecided ? [...effects, ...whole] : [...whole, ...effects],
        summary: compositionSummary(reading),
      };
    }
    case "effects": {
      const { node } = reading;
      const scope = nodeScope(node);
      const answers = effectAnswers(report, reading, href);
      const none = say("Nothing is marked in this window.", scope);
      return { answers: answers.length > 0 ? answers : [none], summary: pinTable(reading) };
    }
    case "caches": {
      const scope = nodeScope(reading.node);
      const summary = cachesSummary(reading);
      const lines = summary.rows.map(([name, from, to, change]) =>
        say(`${name}: ${from} at first, ${to} at last, ${change}.`, scope),
      );
      return { answers: lines.length > 0 ? lines : [say("No sample is kept.", scope)], summary };
    }
    case "effect":
      return { answers: [{ ...effectAnswer(report, reading.figure), href }], summary: undefined };
    case "scatter": {
      const { correlation, nodeName, zone } = reading;
      const model = correlationModel(correlation, { zone, nowMs: LATER });
      const scope = nodeScope({
        name: nodeName,
        window: { fromMs: correlation.from, toMs: correlation.to },
        zone,
      });
      return {
        answers: [say(model.text, scope, model.verdict)],
        summary: {
          columns: ["what", "value"],
          rows: [
            ...(model.headline
              ? [
                  [
                    "left behind by one",
                    `${model.headline.value} ${model.headline.unit} (${model.headline.interval})`,
                  ],
                ]
              : []),
            ...model.facts.map(({ label, value }) => [label, value]),
          ],
        },
      };
    }
    case "comparison": {
      const { a, b, text } = reading.comparison;
      const scope = `A: ${sideScope(a)}; B: ${sideScope(b)}`;
      const rows = compareRows(reading.comparison).filter(({ alike, reason }) => !alike && !reason);
      return {
        answers: [say(text, scope)],
        summary: {
          columns: ["what", "A", "B", "B less A", "95 %", "A, MiB/h", "B, MiB/h", "B less A, MiB/h", "95 %"],
          rows: rows.map((row) => [
            row.label,
            row.levelA,
            row.levelB,
            row.level?.value ?? null,
            row.level?.interval ?? null,
            row.slopeA?.value ?? null,
            row.slopeB?.value ?? null,
            row.slope?.value ?? null,
            row.slope?.interval ?? null,
          ]),
        },
      };
    }
    case "cohorts": {
      const { sentence, below, chosen, attributes } = reading.model;
      const scope = isolatedText(below);
      return {
        answers: [sentence, ...(chosen ? [chosen.text] : [])].map((text) => say(text, scope)),
        summary: {
          columns: ["attribute", "verdict", "separation", "p", "values"],
          rows: attributes.map((row) => [
            row.label,
            row.verdict.word,
            row.separation,
            row.pValue,
            row.values,
          ]),
        },
      };
    }
    case "table": {
      const { table, note } = reading;
      return {
        answers: [say(`${table.rows.length} rows${note === "" ? "" : `: ${note}`}.`)],
        summary: { columns: table.columns, rows: table.rows.slice(0, MOST_ROWS) },
      };
    }
    case "dump": {
      const { verdict, dominant, findings, warnings } = reading;
      const word = verdict === "not-a-leak" ? "not a leak" : verdict;
      return {
        answers: [
          say(`The dump reads as ${word}${dominant === "" ? "" : `; most of it: ${dominant}`}.`),
          ...findings.map(({ name, evidence }) => say(`${name}: ${evidence.join("; ")}`)),
          ...warnings.map((warning) => say(warning)),
        ],
        summary: undefined,
      };
    }
    case "unreadable":
      return {
        answers: [say(`This view could not be read: ${reading.message}`)],
        summary: undefined,
      };
  }
}

function nodeScope({ name, window, zone }: { name: string; window: TimeWindow; zone: string }): string {
  return `${isolatedText(name)}; ${windowText(window, zone)}`;
}

function sideScope({ label, nodes }: ComparedSide): string {
  const name = isolatedText(label);
  if (nodes.length === 0) return name;
  const fromMs = Math.min(...nodes.map(({ from }) => from));
  const toMs = Math.max(...nodes.map(({ to }) => to));
  return `${name}, ${windowText({ fromMs, toMs }, "UTC")}`;
}

function effectAnswers(
  report: Report,
  { node, effects }: Pick<Extract<PinReading, { kind: "composition" }>, "node" | "effects">,
  href: string | undefined,
): Answer[] {
  const view = { zone: node.zone, nowMs: LATER };
  return effectRows(marksOf(node.annotations, effects, node.window), view).flatMap(
    ({ mark, when, restsOn }) =>
      mark.effect
        ? [
            {
              verdict: mark.verdict,
              text: mark.effect.text,
              scope: [
                `mark ${mark.number}, ${mark.title}, ${when}`,
                `on ${isolatedText(node.name)}`,
                restsOn?.text ?? "",
              ]
                .filter(Boolean)
                .join("; "),
              href: (restsOn && absolute(report, restsOn.href)) ?? href,
            },
          ]
        : [],
  );
}

/** Each band that changed since the window or the newest boot in it began, and what they add up to. */
function compositionSummary({
  composition,
}: Extract<PinReading, { kind: "composition" }>): PlainTable | undefined {
  const last = composition.totalKib.findLastIndex((value) => value != null);
  const readout = last < 0 ? undefined : readoutAt(composition, last);
  if (readout === undefined) return undefined;
  const since = composition.reboots.length > 0 ? "change since the newest boot" : "change";
  const line = (label: string, { change, value }: { change: string; value: string }) => [
    label,
    change,
    value,
  ];
  return {
    columns: ["memory", `${since}, ${readout.unit}`, `at the end, ${readout.unit}`],
    rows: [
      ...readout.rows.filter(({ change }) => /[1-9]/.test(change)).map((row) => line(row.label, row)),
      line("MemTotal", readout.total),
      line("non-cache kernel memory", readout.noncache),
      line("unreclaimable kernel memory", readout.unreclaimable),
    ],
  };
}

/** No difference is taken across a reboot: a cache is counted from the newest boot on. */
function cachesSummary({ series, caches }: Extract<PinReading, { kind: "caches" }>): PlainTable {
  const boot = series.reboots.at(-1);
  const fromMs = boot === undefined ? -Infinity : bootBoundary(boot);
  return {
    columns: ["cache", boot ? "after the newest boot" : "at first", "at last", "change"],
    rows: slabLanes(series, caches).map((lane) => {
      const line = lane.series[0];
      const values = (line?.values ?? []).filter((_, index) => (lane.timesMs[index] ?? 0) >= fromMs);
      const [first, last] = [
        values.find((value) => value !== null),
        values.findLast((value) => value !== null),
      ];
      return first == null || last == null
        ? [line?.label ?? lane.title, DASH, DASH, DASH]
        : [line?.label ?? lane.title, formatKib(first), formatKib(last), formatKibChange(last - first)];
    }),
  };
}
