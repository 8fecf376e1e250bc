import type { ReactNode } from "react";

/** What just happened, in a corner above the page and said to screen readers; out of sight while it is empty. */
export function Toast({ shown, children }: { readonly shown: boolean; readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className={
        shown
          ? "fixed right-4 bottom-4 z-20 flex max-w-[min(34rem,calc(100vw-2rem))] flex-wrap items-center gap-x-3 gap-y-1 rounded-2 border border-line-3 bg-surface px-3 py-2 text-sm"
          : "sr-only"
      }
    >
      {children}
    </div>
  );
}
