/** What a source is that could not be read although it is there: what it would tell is not known. */
const BLIND: ReadonlySet<string> = new Set(["denied", "malformed", "truncated"]);

/** So begins the reason for what a collector cannot read at all: whether it is there is not known, nor what it would tell. */
const BEYOND_COLLECTOR = /^the shell collector does not /;

/** Names of the sources that are there and could not be read, or that the node's collector cannot read, sorted. */
export function blindSourcesOf(
  sources: Readonly<Record<string, { readonly status: string; readonly detail?: string | undefined }>>,
): string[] {
  return Object.entries(sources)
    .filter(([, { status, detail = "" }]) => BLIND.has(status) || BEYOND_COLLECTOR.test(detail))
    .map(([name]) => name)
    .sort();
}
