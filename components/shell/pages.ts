/** A page that the top of every page leads to. */
export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** In the order of use. */
const PAGES: readonly PageLink[] = [
  { href: "/", label: "Fleet" },
  { href: "/findings", label: "Findings" },
  { href: "/cohorts", label: "Cohorts" },
  { href: "/marks", label: "Marks" },
  { href: "/experiments", label: "Experiments" },
  { href: "/investigations", label: "Investigations" },
  { href: "/compare", label: "Compare" },
  { href: "/inspect", label: "Inspect" },
];

/** What the navigation and the search lead to. Only administrators may make tokens. */
export function pagesFor(reader: { readonly demo: boolean; readonly administrator: boolean }): PageLink[] {
  return [
    ...(reader.demo ? [{ href: "/stories", label: "Stories" }] : []),
    ...PAGES,
    ...(reader.administrator ? [{ href: "/add-nodes", label: "Add nodes" }] : []),
    { href: "/docs/api", label: "API" },
  ];
}
