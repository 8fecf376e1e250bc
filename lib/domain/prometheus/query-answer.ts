import type { SeriesSamples } from "./assemble-scrapes.ts";
import type { Labels } from "./node-identity.ts";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An answer of the HTTP API of Prometheus, opened: its data, or what it complains of. */
export type OpenedAnswer =
  | { readonly data: unknown; readonly warnings: readonly string[] }
  | { readonly errorType: string; readonly error: string };

/** Opens `{"status":"success","data":…}`; undefined for what is no answer of Prometheus. */
export function openAnswer(answer: unknown): OpenedAnswer | undefined {
  if (!isRecord(answer)) return undefined;
  if (answer.status === "error") {
    const { errorType, error } = answer;
    if (typeof errorType !== "string" || typeof error !== "string") return undefined;
    return { errorType, error };
  }
  if (answer.status !== "success" || !("data" in answer)) return undefined;
  const warnings = Array.isArray(answer.warnings)
    ? answer.warnings.filter((each): each is string => typeof each === "string")
    : [];
  return { data: answer.data, warnings };
}

function readLabels(value: unknown): Labels | undefined {
  if (!isRecord(value)) return undefined;
  return Object.values(value).every((each) => typeof each === "string") ? (value as Labels) : undefined;
}

/** Label sets as `/api/v1/series` gives them; undefined when the data are not of this form. */
export function readLabelSets(data: unknown): Labels[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const sets = data.map(readLabels);
  return sets.every((each) => each !== undefined) ? sets : undefined;
}

/**
 * Series with their samples, from the result of a range selector or of `query_range`. Undefined when the data are no
 * matrix. Samples that are no numbers (`NaN`, `+Inf`, histograms) stay NaN or infinite, for the fields to refuse.
 */
export function readMatrix(data: unknown): SeriesSamples[] | undefined {
  if (!isRecord(data) || data.resultType !== "matrix" || !Array.isArray(data.result)) return undefined;
  const series: SeriesSamples[] = [];
  for (const each of data.result as unknown[]) {
    if (!isRecord(each)) return undefined;
    const labels = readLabels(each.metric);
    if (labels === undefined) return undefined;
    const samples: [number, number][] = [];
    for (const pair of Array.isArray(each.values) ? (each.values as unknown[]) : []) {
      if (!Array.isArray(pair) || typeof pair[0] !== "number" || typeof pair[1] !== "string")
        return undefined;
      samples.push([Math.round(pair[0] * 1000), readSample(pair[1])]);
    }
    series.push({ labels, samples });
  }
  return series;
}

function readSample(text: string): number {
  if (text === "+Inf") return Infinity;
  if (text === "-Inf") return -Infinity;
  return text === "" ? NaN : Number(text);
}
