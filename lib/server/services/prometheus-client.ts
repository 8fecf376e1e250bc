import { setTimeout as delay } from "node:timers/promises";
import type { SeriesSamples } from "#lib/domain/prometheus/assemble-scrapes.ts";
import type { Labels } from "#lib/domain/prometheus/node-identity.ts";
import { openAnswer, readLabelSets, readMatrix } from "#lib/domain/prometheus/query-answer.ts";
import { AppError } from "#lib/errors.ts";

/** More than the other side lets one query read: ask for less. */
export class TooMuchAtOnce extends Error {}

/** Reads from one Prometheus. All methods throw `TooMuchAtOnce`, or an AppError whose message tells what to do. */
export interface PrometheusClient {
  /** Throws unless a Prometheus answers there. */
  check(): Promise<void>;
  /** Label sets of the series that any of the selectors matches and that have samples in the range. */
  listSeries(selectors: readonly string[], range: TimeRange): Promise<Labels[]>;
  /** Every sample of a selector in a range, as it was scraped. */
  readSamples(selector: string, range: TimeRange): Promise<SeriesSamples[]>;
  /** A sample each `stepSeconds`, the newest that is not older than five minutes. */
  readSteps(selector: string, range: TimeRange & { stepSeconds: number }): Promise<SeriesSamples[]>;
}

/** From `fromMs` to before `toMs`, epoch milliseconds. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PrometheusAccess {
  readonly url: string;
  readonly bearer?: string | null;
  readonly signal?: AbortSignal;
  /** First pause before a request is tried again; it doubles from there. */
  readonly firstPauseMs?: number;
}

const ATTEMPTS = 6;
const LONGEST_PAUSE_MS = 60_000;
const REQUEST_MS = 150_000;
/** A larger answer would hold up everything else while it is parsed. */
const ANSWER_BYTES = 96 * 1024 * 1024;

const seconds = (timeMs: number) => (timeMs / 1000).toFixed(3);

/** A client of the HTTP API of Prometheus, or of what speaks it (Thanos, Mimir, VictoriaMetrics). */
export function openPrometheus(access: PrometheusAccess): PrometheusClient {
  const ask = async (path: string, parameters: URLSearchParams): Promise<unknown> =>
    askWithPatience(access, path, parameters);
  const matrix = async (path: string, parameters: URLSearchParams): Promise<SeriesSamples[]> => {
    const series = readMatrix(await ask(path, parameters));
    if (series === undefined) throw notPrometheus(access.url, "the answer is no matrix");
    return series;
  };
  return {
    async check() {
      await ask("query", new URLSearchParams({ query: "1" }));
    },
    async listSeries(selectors, { fromMs, toMs }) {
      const parameters = new URLSearchParams(selectors.map((each) => ["match[]", each]));
      parameters.set("start", seconds(fromMs));
      parameters.set("end", seconds(toMs));
      const sets = readLabelSets(await ask("series", parameters));
      if (sets === undefined) throw notPrometheus(access.url, "the answer is no list of series");
      return sets;
    },
    readSamples(selector, { fromMs, toMs }) {
      // A range ends with its last moment, and begins with or right after its first, depending on the version.
      const query = `${selector}[${toMs - fromMs}ms]`;
      return matrix("query", new URLSearchParams({ query, time: seconds(toMs - 1) }));
    },
    readSteps(selector, { fromMs, toMs, stepSeconds }) {
      return matrix(
        "query_range",
        new URLSearchParams({
          query: selector,
          start: seconds(fromMs),
          end: seconds(toMs - 1),
          step: String(stepSeconds),
        }),
      );
    },
  };
}

/** Asks again after what passes: too many requests, a server that is busy or starting, a connection that broke. */
async function askWithPatience(
  access: PrometheusAccess,
  path: string,
  parameters: URLSearchParams,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    access.signal?.throwIfAborted();
    const asked = await askOnce(access, path, parameters);
    if ("data" in asked) return asked.data;
    if (attempt === ATTEMPTS) throw asked.giveUp;
    const pauseMs = asked.waitMs ?? (access.firstPauseMs ?? 1000) * 2 ** (attempt - 1);
    await delay(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, access.signal && { signal: access.signal });
  }
}

type Asked = { data: unknown } | { giveUp: AppError; waitMs: number | undefined };

async function askOnce(access: PrometheusAccess, path: string, parameters: URLSearchParams): Promise<Asked> {
  const url = `${access.url.replace(/\/+$/, "")}/api/v1/${path}?${parameters}`;
  let response: Response;
  let text: string;
  const timeout = AbortSignal.timeout(REQUEST_MS);
  try {
    response = await fetch(url, {
      headers: {
        accept: "application/json",
        ...(access.bearer != null && { authorization: `Bearer ${access.bearer}` }),
      },
      signal: access.signal ? AbortSignal.any([access.signal, timeout]) : timeout,
    });
    text = await readText(response);
  } catch (error) {
    if (error instanceof TooMuchAtOnce) throw error;
    access.signal?.throwIfAborted();
    const giveUp = new AppError("unprocessable", `Nothing answers at ${access.url}: ${reasonOf(error)}.`, {
      cause: error,
    });
    return { giveUp, waitMs: undefined };
  }
  return judge(access, response, text);
}

function judge({ url, bearer }: PrometheusAccess, response: Response, text: string): Asked {
  const { status } = response;
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    const giveUp = new AppError(
      "unprocessable",
      `${url} was too busy (HTTP ${status}), also after ${ATTEMPTS} attempts. Go on later, or with a longer step.`,
    );
    return { giveUp, waitMs: retryAfterMs(response) };
  }
  if (status === 401 || status === 403) {
    const needs = bearer == null ? "It needs a bearer token." : "The bearer token does not fit.";
    throw new AppError("unprocessable", `${url} refused to answer (HTTP ${status}). ${needs}`);
  }
  const opened = openAnswer(parse(text));
  if (opened === undefined) throw notPrometheus(url, `HTTP ${status}, ${contentOf(response)}`);
  if ("data" in opened) return { data: opened.data };
  const { errorType, error } = opened;
  if (/too many samples|exceeded maximum|limit|too large|out of memory/i.test(error)) {
    throw new TooMuchAtOnce(error);
  }
  // Its own time limit for a query: less would have been answered.
  if (errorType === "timeout") throw new TooMuchAtOnce(error);
  throw new AppError("unprocessable", `${url} refused the query (${errorType}): ${error.slice(0, 300)}`);
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString("utf8");
    bytes += value.byteLength;
    if (bytes > ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw new TooMuchAtOnce(`the answer is larger than ${ANSWER_BYTES} bytes`);
    }
    chunks.push(value);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const contentOf = (response: Response) =>
  response.headers.get("content-type")?.split(";")[0] ?? "no content type";

function notPrometheus(url: string, what: string): AppError {
  return new AppError(
    "unprocessable",
    `${url} answers, but not as Prometheus does (${what}). Give the address that its own page has, up to where /api/v1 begins.`,
  );
}

/** Seconds, or a date, as HTTP writes it. */
function retryAfterMs(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now());
}

/** What the system says of a request that failed, in few words. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer within ${REQUEST_MS / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : undefined;
  switch (code) {
    case "ECONNREFUSED":
      return "the connection was refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "the name is not known";
    default:
      return (
        code ?? (cause instanceof Error ? cause.message : error instanceof Error ? error.message : "unknown")
      );
  }
}
