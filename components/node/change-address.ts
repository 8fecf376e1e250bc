import type { TimeWindow } from "#lib/charts/view-address.ts";

/** What changes in an address; undefined takes a name out, a list repeats it. */
export type AddressChange = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the history of the browser remembers of an entry of ours. */
interface EntryState {
  /** Another range led here, so that going back returns to it. */
  readonly afterRange: boolean;
}

function stateNow(): EntryState {
  const state: unknown = window.history.state;
  return {
    afterRange:
      typeof state === "object" && state !== null && "afterRange" in state && state.afterRange === true,
  };
}

/** Changes the address of the page that is shown. `push` so that Back returns, `replace` for what is no step. */
export function changeAddress(change: AddressChange, how: "push" | "replace"): void {
  const next = new URL(window.location.href);
  for (const [name, value] of Object.entries(change)) {
    next.searchParams.delete(name);
    for (const each of value === undefined ? [] : [value].flat()) next.searchParams.append(name, each);
  }
  if (how === "push") window.history.pushState({ afterRange: "from" in change }, "", next);
  else window.history.replaceState(stateNow(), "", next);
}

/** Shows another window; Back returns. */
export function zoomTo({ fromMs, toMs }: TimeWindow): void {
  changeAddress({ from: String(Math.round(fromMs)), to: String(Math.round(toMs)) }, "push");
}

/** Shows the window that a page has without one in its address. */
export function resetWindow(): void {
  changeAddress({ from: undefined, to: undefined }, "push");
}

/** Returns to the range before; false where the page was opened with the one it shows. */
export function rangeBack(): boolean {
  if (!stateNow().afterRange) return false;
  window.history.back();
  return true;
}
