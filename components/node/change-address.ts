import type { TimeWindow } from "#lib/charts/view-address.ts";

/** What changes in an address; undefined takes a name out, a list repeats it. */
export type AddressChange = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Changes the address of the page that is shown. `push` so that Back returns, `replace` for what is no step. */
export function changeAddress(change: AddressChange, how: "push" | "replace"): void {
  const next = new URL(window.location.href);
  for (const [name, value] of Object.entries(change)) {
    next.searchParams.delete(name);
    for (const each of value === undefined ? [] : [value].flat()) next.searchParams.append(name, each);
  }
  window.history[how === "push" ? "pushState" : "replaceState"](null, "", next);
}

/** Shows another window; Back returns. */
export function zoomTo({ fromMs, toMs }: TimeWindow): void {
  changeAddress({ from: String(Math.round(fromMs)), to: String(Math.round(toMs)) }, "push");
}

/** Shows the window that a page has without one in its address. */
export function resetWindow(): void {
  changeAddress({ from: undefined, to: undefined }, "push");
}
