"use client";

import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { useKeys } from "../ui/use-keys.ts";
import { changeAddress } from "./change-address.ts";

/** Ids of sections as an address names them; nothing else gets into the style below. */
const NAME = /^[a-z][a-z-]{0,40}$/;

/** The part of the page that is pointed at or holds the focus; else the first. */
function partInHand(): string | undefined {
  const parts = "[data-parts] section[aria-labelledby^='h-']";
  const found =
    [...document.querySelectorAll(`${parts}:hover`)].at(-1) ??
    document.activeElement?.closest(parts) ??
    document.querySelector(parts);
  return found?.getAttribute("aria-labelledby")?.slice("h-".length);
}

/** Parts of a page, all of them or the one that `viewPanel` of the address names; `v` changes between the two. */
export function PanelView({ children }: { readonly children: ReactNode }) {
  const named = useSearchParams().get("viewPanel") ?? "";
  const part = NAME.test(named) ? named : undefined;
  const show = (next: string | undefined) => changeAddress({ viewPanel: next }, "push");
  useKeys({
    v: () => show(part === undefined ? partInHand() : undefined),
    Escape: () => (part === undefined ? false : show(undefined)),
  });
  const section = `section[aria-labelledby="h-${part}"]`;
  const holds = `[data-parts]:has(${section})`;
  return (
    <div data-parts="">
      {part === undefined ? null : (
        <>
          <style>{`[data-parts]:not(:has(${section})) > [data-note] { display: none }
            ${holds} section:not(${section}), ${holds} > :not(section, [data-note], :has(${section})) { display: none }`}</style>
          <p data-note="" className="flex items-center gap-2 pb-2 text-sm text-ink-2">
            One part of the page is shown.
            <Button onClick={() => show(undefined)}>
              Show all <kbd className="text-ink-3 max-md:hidden">v</kbd>
            </Button>
          </p>
        </>
      )}
      {children}
    </div>
  );
}
