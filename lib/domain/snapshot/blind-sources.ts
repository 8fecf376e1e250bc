/** What a source is that could not be read although it is there: what it would tell is not known. */
const BLIND: ReadonlySet<string> = new Set(["denied", "malformed", "truncated"]);

/** Names of the sources that are there and could not be read, sorted. */
export function blindSourcesOf(sources: Readonly<Record<string, { readonly status: string }>>): string[] {
  return Object.entries(sources)
    .filter(([, { status }]) => BLIND.has(status))
    .map(([name]) => name)
    .sort();
}
