import type { ReactNode } from "react";

/** What a page found, in a sentence: its heading. */
export function Headline({ children }: { readonly children: ReactNode }) {
  return (
    <h1 className="max-w-[118ch] text-xl font-semibold tracking-[-0.008em] text-pretty max-md:text-[17px] max-md:leading-6">
      {children}
    </h1>
  );
}
