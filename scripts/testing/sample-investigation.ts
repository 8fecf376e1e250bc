import { DEFAULT_COHORT_ADDRESS, cohortModel } from "#lib/charts/cohort-model.ts";
import { effectFigure } from "#lib/charts/pin-reading.ts";
import type { PinReading } from "#lib/charts/pin-reading.ts";
import type { SharedDocument } from "#lib/charts/shared-document.ts";
import type { ComparedSide, Comparison } from "#lib/contracts/compare.ts";
import type { PinKind } from "#lib/contracts/investigation.ts";
import type { Report } from "#lib/exports/report.ts";
import {
  SAMPLE_NOW_MS,
  sampleAnnotation,
  sampleComposition,
  sampleEffect,
  sampleSeries,
  sampleTrend,
} from "./chart-samples.ts";

/** What everybody who writes may try: markup of both kinds, entities, a link that runs, marks of direction, controls, length. */
export const HOSTILE =
  `<script>alert(1)</script> <img src=x onerror=alert(1)> "quoted' &lt; ${"`"}code${"`"} *bold* _it_ # no | pipe ` +
  `[click](javascript:alert(1)) ![pic](https://x.example/p.png) \u202eevil\u202c \u0007 </title></style>--> ${"long".repeat(40)}`;

const HOUR_MS = 3_600_000;
const MIB = 1024;
const window = { fromMs: SAMPLE_NOW_MS - 24 * HOUR_MS, toMs: SAMPLE_NOW_MS };
const query = `from=${window.fromMs}&to=${window.toMs}&timezone=utc`;
const view = { zone: "UTC", nowMs: 0 };

const node = {
  nodeId: 7,
  name: "magnesia<b>",
  window,
  zone: "UTC",
  readAtMs: 0,
  annotations: [
    sampleAnnotation({ title: "pull-monitor <i>stopped</i>" }),
    sampleAnnotation({ annotationId: 2, at: SAMPLE_NOW_MS - 9.9 * HOUR_MS, kind: "note", title: HOSTILE }),
  ],
};
const caches = sampleSeries({ stopAt: 168 });
const composition = sampleComposition({ stopAt: 168, gap: [200, 220], rebootAt: 250 });
const effects = [sampleEffect()];

function side(label: string, perStepKib: number): ComparedSide {
  const timesMs = Array.from({ length: 48 }, (_, index) => index * 1_800_000);
  const { fromMs, toMs } = window;
  return {
    label,
    terms: ["7"],
    matched: 1,
    nodes: [
      {
        nodeId: 7,
        name: label,
        cluster: "athena",
        simulated: false,
        zeroAt: fromMs,
        from: fromMs,
        to: toMs,
        rebootsMs: [],
      },
    ],
    leftOut: [],
    timesMs,
    counts: timesMs.map(() => 1),
    series: [
      { metric: "total.kernelUnreclaimable", valuesKib: timesMs.map((_, at) => 2e6 + at * perStepKib) },
    ],
  };
}

const contrast = (value: number, half: number) => ({
  value,
  ci95: [value - half, value + half] as [number, number],
});
const estimate = (value: number, half: number) => ({ ...contrast(value, half), nodes: 1 });

const comparison: Comparison = {
  align: "time",
  a: side("magnesia<b>", 150_000),
  b: side("thera", 4000),
  bucketSeconds: 1800,
  common: { fromMs: 0, toMs: 47 * 1_800_000 },
  differences: [
    {
      metric: "total.kernelUnreclaimable",
      label: "unreclaimable kernel memory",
      unit: "KiB",
      level: { ...contrast(-3500 * MIB, 200 * MIB), a: estimate(5500 * MIB, 0), b: estimate(2000 * MIB, 0) },
      slopePerHour: { ...contrast(-285 * MIB, 20 * MIB), a: estimate(293 * MIB, 9), b: estimate(8 * MIB, 9) },
      reason: null,
    },
  ],
  method: "difference of slopes",
  text: `thera grows 285 MiB/h less than magnesia<b>. ${HOSTILE}`,
  notes: [],
};

const leaky = {
  attribute: "version.runc",
  label: "runc",
  verdict: "separates",
  text: "runc rc8 leaks.",
  separation: 0.93,
  pValue: 0.0004,
} as const;

const cohorts = cohortModel(
  {
    metric: "total.kernelUnreclaimable",
    label: "unreclaimable kernel memory",
    unit: "KiB",
    window: "24h",
    cluster: null,
    computedAt: SAMPLE_NOW_MS,
    counts: { nodes: 4, leaking: 2, healthy: 2, undecided: 0, unknown: 0 },
    simulated: 0,
    text: `runc rc8: 2 of 2 leak; ${HOSTILE}: 0 of 2.`,
    attributes: [{ ...leaky, sameAs: [], values: 2 }],
    selected: {
      ...leaky,
      sameAs: [],
      values: (["rc8", null, HOSTILE] as const).map((value) => ({
        value,
        counts: { nodes: 2, leaking: value ? 2 : 0, healthy: value ? 0 : 2, undecided: 0, unknown: 0 },
        leaking: null,
        slopes: null,
        quartilesPerHour: value ? [300 * MIB, 310 * MIB, 320 * MIB] : null,
        nodes: [1, 2].map((at) => ({
          nodeId: value ? at : at + 2,
          name: value === HOSTILE ? `${HOSTILE} ${at}` : `node-${value ? at : at + 2}`,
          cluster: "east",
          verdict: value ? ("leaking" as const) : ("flat" as const),
          slopePerHour: value ? (300 + at) * MIB : at,
        })),
      })),
    },
  },
  DEFAULT_COHORT_ADDRESS,
);

const readings: readonly (readonly [PinKind, string, PinReading])[] = [
  [
    "chart",
    `/nodes/7?${query}`,
    {
      kind: "composition",
      node,
      mode: "change",
      atMs: undefined,
      composition,
      effects,
      trend: sampleTrend(),
    },
  ],
  ["table", `/nodes/7?${query}`, { kind: "effects", node, effects }],
  [
    "chart",
    `/nodes/7/slab?${query}`,
    {
      kind: "caches",
      node,
      caches: ["kmalloc-64<b>"],
      series: {
        ...caches,
        series: [
          {
            metric: "slab.kmalloc-64<b>.bytes",
            label: "kmalloc-64",
            unit: "bytes",
            kind: "gauge",
            values: caches.timesMs.map((_, at) => 5e8 + Math.min(at, 168) * 2e7),
          },
        ],
      },
    },
  ],
  [
    "effect",
    `/nodes/7?${query}&effect=1`,
    {
      kind: "effect",
      figure: effectFigure(
        sampleEffect(),
        node.annotations[0] ?? sampleAnnotation(),
        { name: node.name, href: `/nodes/7?${query}` },
        view,
      ),
    },
  ],
  [
    "scatter",
    `/nodes/7?${query}`,
    {
      kind: "scatter",
      nodeName: "magnesia<b>",
      zone: "UTC",
      readAtMs: 0,
      correlation: {
        driver: "containers.started",
        metric: "total.kernelUnreclaimable",
        unit: "KiB",
        from: window.fromMs,
        to: window.toMs,
        verdict: "leaves-behind",
        obstacle: null,
        text: "Growth goes with container creation: 74.9 KiB a container (95 %: 73.1\u201376.6).",
        kibPerContainer: 74.87,
        ci95: [73.12, 76.61],
        kibPerLiveContainer: { value: 412, ci95: [-30, 854] },
        backgroundKibPerHour: { value: 512, ci95: [-2048, 3072] },
        containersPerHour: 2518.4,
        pearson: 0.99,
        spearman: 0.87,
        bestLag: null,
        n: 288,
        method: "regression",
        windowMs: HOUR_MS,
        points: Array.from({ length: 24 }, (_, at) => [
          at < 14 ? 4100 + ((at * 97) % 200) : 40 + ((at * 31) % 50),
          at < 14 ? 312_000 + ((at * 7919) % 20_000) : 2000 - ((at * 911) % 3000),
          window.fromMs + (at + 0.5) * HOUR_MS,
        ]),
        backedBy: null,
        line: {
          points: [
            [41, 3000, 500, 5500],
            [4260, 319_000, 312_000, 326_000],
          ],
        },
      },
    },
  ],
  ["comparison", `/compare?a=7&b=8&${query}`, { kind: "comparison", comparison, band: undefined }],
  ["chart", "/cohorts?window=24h", { kind: "cohorts", model: cohorts }],
  [
    "table",
    `/?${query}`,
    {
      kind: "table",
      table: {
        columns: ["node", "verdict", "growth, MiB/h"],
        rows: Array.from({ length: 20 }, (_, at) => [
          at === 0 ? HOSTILE : `node-${at}`,
          "leaking",
          at === 3 ? null : 300 - at,
        ]),
      },
      note: "20 of 40 nodes",
    },
  ],
  [
    "dump",
    "",
    {
      kind: "dump",
      verdict: "leak",
      dominant: "unreclaimable slab",
      findings: [{ name: "exit files", evidence: [HOSTILE] }],
      warnings: ["line 3: <b>"],
    },
  ],
  ["chart", `/nodes/9?${query}`, { kind: "unreadable", message: "There is no node 9." }],
];

/** A document of an investigation with a pin of every kind, in which everything that people, nodes and dumps name is hostile. */
export function sampleInvestigation(): SharedDocument {
  const { fromMs, toMs } = window;
  const effect = effectFigure(
    sampleEffect(),
    node.annotations[0] ?? sampleAnnotation(),
    { name: node.name, href: `/nodes/7?${query}` },
    view,
  );
  return {
    version: 1,
    head: {
      title: `Who eats the memory of magnesia? ${HOSTILE}`,
      status: "resolved",
      conclusion: `The puller: [[effect:1]]. **Fixed** by [the upgrade](https://example.com/cri-o), see [the node](/nodes/7). ${HOSTILE}`,
      text: `## What we saw\n\n[[pin:1]]\n\nThen [[pin:2]] said:\n\n- one\n- two\n\n  with \`co\`de\n\n1. first\n2. second\n\n> quoted ${HOSTILE}\n\n| a | b |\n| --- | --- |\n| 1 | x \\| y |\n\n\`\`\`\n<script>${"```"}\n\`\`\`\n\n[[effect:1]]\n\n[[pin:99]]\n\n---\n\n<div onclick="alert(1)">raw</div>\n\n- = not a heading\n\n\\- not a list\n\n[run](javascript:alert(1))`,
      window: { from: fromMs, to: toMs },
      people: ["r.hale", "<b>m</b>"],
      openedBy: "r.hale<i>",
      openedAt: fromMs,
      changedAt: toMs,
      nodes: ["magnesia<b>", "thera", HOSTILE],
      hypotheses: [
        {
          text: `Each container leaves memory behind. ${HOSTILE}`,
          state: "supported",
          evidence: [
            { kind: "pin", number: 5 },
            { kind: "effect", annotationId: 1 },
            { kind: "finding", signature: "exit-files<b>" },
          ],
        },
        { text: "It is the page cache.", state: "refuted", evidence: [] },
      ],
      pins: readings.map(([kind, address], index) => ({
        number: index + 1,
        kind,
        caption: index === 0 ? `It grows ${HOSTILE}` : index === 4 ? "" : `view ${index + 1}`,
        createdBy: "r.hale<i>",
        address,
      })),
      entries: [
        {
          entryId: 3,
          at: toMs,
          kind: "note",
          text: `Removed the files.\n\n- ${HOSTILE}`,
          madeBy: "person",
          createdBy: "r.hale<i>",
        },
        {
          entryId: 2,
          at: fromMs + HOUR_MS,
          kind: "reboot",
          text: "magnesia<b> rebooted",
          madeBy: "machine",
          createdBy: "plumbline",
        },
        { entryId: 1, at: fromMs, kind: "note", text: "begun", madeBy: "person", createdBy: "r.hale<i>" },
      ],
      zone: "UTC",
      readAtMs: toMs,
    },
    readings: Object.fromEntries(readings.map(([, , reading], index) => [index + 1, reading])),
    effects: { "[[effect:1]]": effect },
  };
}

/** That document as it is written down. */
export function sampleReport(): Report {
  return {
    document: sampleInvestigation(),
    origin: "https://plumbline.example",
    page: "https://plumbline.example/investigations/7",
    madeAtMs: Date.parse("2026-12-03T14:20:00Z"),
    contentHash: "ab".repeat(32),
  };
}
