import type { ReactNode } from "react";

/** A share as a bar across its cell; inside it 100 is the whole. */
export function ShareBar({ children }: { readonly children: ReactNode }) {
  return (
    <svg width="100%" height="11" viewBox="0 0 100 11" preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
  );
}
