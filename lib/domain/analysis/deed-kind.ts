/** What of a mark tells what was done. */
export interface Deed {
  readonly kind: string;
  readonly title: string;
  readonly text: string | null;
}

const RUNTIME = /\b(?:cri-?o|crio|containerd|dockerd?|podman|kubelet|runtime)\b/i;
const RESTARTED = /\brestart(?:ed|ing)?\b|\bsystemctl restart\b/i;
const REMOVED = /\b(?:removed?|deleted?|cleaned|emptied|cleared|rm)\b|\s-delete\b/i;
const FILES = /\bfiles?\b|\bexits?\b|\/run\/(?:crio|libpod)\b/i;
const STOPPED = /\b(?:stopped|suspended|paused|disabled|scaled (?:down|to (?:0|zero))|switched off|ended)\b/i;

/**
 * What was done, in the words in which signatures ask for it (`drop-caches-1`, `files-removed`, `runtime-restarted`,
 * `process-restarted`, `job-stopped`); `undefined` where a mark does not say. People's marks are read by their title, and by their
 * text where the title says nothing; a mark that fits two kinds is taken for the first.
 *
 * @example deedKind({ kind: "intervention", title: "CRI-O restarted", text: null }) // "runtime-restarted"
 */
export function deedKind({ kind, title, text }: Deed): string | undefined {
  if (kind === "drop-caches") return /slab/i.test(title) ? "drop-caches-2" : "drop-caches-1";
  if (kind === "restart") return RUNTIME.test(title) ? "runtime-restarted" : undefined;
  if (kind !== "intervention" && kind !== "deploy") return undefined;
  return kindOfWords(title) ?? (text === null ? undefined : kindOfWords(text));
}

function kindOfWords(words: string): string | undefined {
  const dropped = /drop_caches\D{0,40}?([123])|([123])\s*>\s*\S*drop_caches/i.exec(words);
  if (dropped !== null) return `drop-caches-${dropped[1] ?? dropped[2] ?? ""}`;
  if (REMOVED.test(words) && FILES.test(words)) return "files-removed";
  if (RESTARTED.test(words)) return RUNTIME.test(words) ? "runtime-restarted" : "process-restarted";
  return STOPPED.test(words) ? "job-stopped" : undefined;
}
