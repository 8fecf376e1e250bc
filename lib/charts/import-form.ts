import { parseDurationMs } from "#lib/contracts/time-range.ts";
import { readTypedTime } from "./typed-time.ts";
import type { TypedTime } from "./typed-time.ts";

/** An import as it is typed; the names are those of the contract. */
export interface ImportDraft {
  readonly url: string;
  readonly from: string;
  readonly to: string;
  readonly cluster: string;
  readonly nodeLabel: string;
  readonly match: string;
  readonly stepSeconds: string;
  readonly bearer: string;
}

export type ImportField = keyof ImportDraft;

/** What a draft means so far: both times as they are read, what is wrong, and what to send once nothing is. */
export interface ReadImport {
  readonly from: TypedTime;
  readonly to: TypedTime;
  readonly faults: Readonly<Partial<Record<ImportField, string>>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Matchers as they stand in PromQL, with or without its braces, apart at commas and ends of lines.
 *
 * @example splitMatchers('{job="node", region=~"eu|us"}') // ['job="node"', 'region=~"eu|us"']
 */
export function splitMatchers(text: string): string[] {
  const bare = text.trim().replace(/^\{([^]*)\}$/, "$1");
  const parts = bare.match(/(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|["']|[^,\n"'])+/g) ?? [];
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** Seconds of a step such as `60`, `30s`, `5m`; undefined for what is none. */
function stepOf(text: string): number | undefined {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  const stepMs = parseDurationMs(text);
  return stepMs === undefined ? undefined : stepMs / 1000;
}

/** Reads the form. What the server judges, such as the address, is left to it. */
export function readImportDraft(draft: ImportDraft, nowMs: number): ReadImport {
  const view = { zone: "UTC", nowMs };
  const from = readTypedTime(draft.from, { ...view, ahead: "This lies ahead: there is no history yet." });
  const to = readTypedTime(draft.to, { ...view, ahead: "This lies ahead: the import ends now." });
  const step = draft.stepSeconds.trim();
  const stepSeconds = stepOf(step);
  const isBackward = from.kind === "read" && to.kind === "read" && to.atMs <= from.atMs;
  const optional = { cluster: draft.cluster.trim(), nodeLabel: draft.nodeLabel.trim() };
  const bearer = draft.bearer.trim();
  return {
    from,
    to,
    faults: {
      ...(isBackward && { to: "The end lies before the beginning." }),
      ...(step !== "" &&
        stepSeconds === undefined && { stepSeconds: "Expected seconds, or a time such as 30s or 5m." }),
    },
    body: {
      url: draft.url.trim(),
      ...(from.kind === "read" && { from: from.atMs }),
      ...(to.kind === "read" && { to: to.atMs }),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== "")),
      match: splitMatchers(draft.match),
      ...(stepSeconds !== undefined && { stepSeconds }),
      ...(bearer !== "" && { bearer }),
    },
  };
}

/** What the server found wrong with a field; of several matchers it says which one. */
export function importFault(
  field: ImportField,
  faults: ReadonlyMap<string, string>,
  sent: Pick<ImportDraft, "match">,
): string | undefined {
  const found = [...faults].find(([path]) => path === field || path.startsWith(`${field}.`));
  if (found === undefined) return undefined;
  const [path, message] = found;
  const matcher =
    field === "match" ? splitMatchers(sent.match)[Number(path.slice("match.".length))] : undefined;
  return matcher === undefined ? message : `\u201c${matcher.slice(0, 60)}\u201d: ${message}`;
}
