import { isCount, parseRecord } from "./parse-record.ts";
import type { Answer } from "./post-batch.ts";

/** A snapshot the server will never take. */
export interface Refused {
  index: number;
  code: string;
  detail: string;
}

/** What to do with a batch after the server spoke. */
export type Outcome =
  /** Done, save for `keep` (indexes), which are to be sent again after a while, and `refused`, which are given up. */
  | { kind: "settled"; keep: number[]; refused: Refused[]; accepted: number; duplicates: number }
  /** The batch is too much at once, or holds something the server cannot name: halves may pass. */
  | { kind: "split"; reason: string }
  /** Nothing was stored; the same again later, `afterMs` at the earliest when the server said so. */
  | { kind: "retry"; reason: string; afterMs: number | undefined }
  /** The token is not taken. */
  | { kind: "unauthorised"; status: number; reason: string };

/** Codes that pass by themselves; every other code of a rejection is for ever. */
const RETRYABLE = new Set(["clock_ahead"]);
const LONGEST_WAIT_MS = 60 * 60_000;

/** Reads the server's answer to a batch of `count` snapshots. Total on any answer; `nowMs` is for dates in Retry-After. */
export function interpretAnswer(answer: Answer, count: number, nowMs: number): Outcome {
  const { status } = answer;
  const afterMs = parseRetryAfter(answer.retryAfter, nowMs);
  if (status >= 200 && status < 300) {
    const receipt = parseReceipt(answer.body, count);
    return (
      receipt ?? { kind: "retry", reason: `status ${status} with an answer that is no receipt`, afterMs }
    );
  }
  const problem = parseProblem(answer.body);
  const reason = problem.detail ?? `status ${status}`;
  if (status === 401 || status === 403) return { kind: "unauthorised", status, reason };
  if (status === 413) return splitOrRefuse(count, "too_large", reason);
  if (status === 422) {
    const receipt = parseReceipt(answer.body, count);
    if (receipt !== undefined) return receipt;
    if (problem.code !== undefined && RETRYABLE.has(problem.code)) {
      return count === 1 ? settled({ keep: [0] }) : { kind: "split", reason };
    }
    return splitOrRefuse(count, problem.code ?? "invalid", reason);
  }
  return { kind: "retry", reason: `${reason} (status ${status})`, afterMs };
}

function splitOrRefuse(count: number, code: string, detail: string): Outcome {
  if (count > 1) return { kind: "split", reason: detail };
  return settled({ refused: [{ index: 0, code, detail }] });
}

function settled(part: Partial<Extract<Outcome, { kind: "settled" }>>): Outcome {
  return { kind: "settled", keep: [], refused: [], accepted: 0, duplicates: 0, ...part };
}

function parseReceipt(body: string, count: number): Outcome | undefined {
  const value = parseRecord(body);
  if (value === undefined || !isCount(value.accepted) || !isCount(value.duplicates)) return undefined;
  if (!Array.isArray(value.rejected)) return undefined;
  const keep: number[] = [];
  const refused: Refused[] = [];
  for (const item of value.rejected as unknown[]) {
    if (typeof item !== "object" || item === null) return undefined;
    const { index, code, detail } = item as Record<string, unknown>;
    if (!isCount(index) || index >= count || typeof code !== "string") return undefined;
    if (RETRYABLE.has(code)) keep.push(index);
    else refused.push({ index, code, detail: typeof detail === "string" ? detail : "" });
  }
  // A receipt that does not add up did not come from the server that stored them.
  if (value.accepted + value.duplicates + keep.length + refused.length !== count) return undefined;
  return { kind: "settled", keep, refused, accepted: value.accepted, duplicates: value.duplicates };
}

function parseProblem(body: string): { code?: string; detail?: string } {
  const value = parseRecord(body);
  const problem: { code?: string; detail?: string } = {};
  if (typeof value?.code === "string") problem.code = value.code;
  if (typeof value?.detail === "string" && value.detail !== "") problem.detail = value.detail.slice(0, 300);
  return problem;
}

/** Retry-After in either form, RFC 9110: seconds or a date. At most an hour; a form that is neither says nothing. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const waitMs = /^\d{1,9}$/.test(trimmed)
    ? Number(trimmed) * 1000
    : /^[A-Z][a-z]{2,8},? /.test(trimmed)
      ? Date.parse(trimmed) - nowMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS);
}
