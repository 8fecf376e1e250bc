import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { StatePanel } from "./state-panel.tsx";

/** What Next.js gives to what stands in place of a page that failed. */
export interface PageError {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/** A page of its own in place of one that failed: what happened, what becomes of it, the number to ask by, and the way on. */
export function FaultPage({
  fault: { error, reset },
  name,
  title,
  className,
  children,
}: {
  readonly fault: PageError;
  /** Of the page: what failed may have been that which names it. */
  readonly name: string;
  readonly title: string;
  /** How wide it is, and how far from the upper edge. */
  readonly className: string;
  readonly children: ReactNode;
}) {
  return (
    <main id="main" className={`mx-auto px-page ${className}`}>
      <title>{name}</title>
      <StatePanel title={title} tone="error" requestId={error.digest} heading="h1">
        <p>{children}</p>
        <Button onClick={reset}>Try again</Button>
      </StatePanel>
    </main>
  );
}
