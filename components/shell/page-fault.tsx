"use client";

import { Button } from "../ui/button.tsx";
import { StatePanel } from "../ui/state-panel.tsx";

/** In place of a page that failed. */
export function PageFault({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}) {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page py-6">
      {/* What failed may have been that which names the page. */}
      <title>This page could not be read</title>
      <StatePanel title="This page could not be read" tone="error" requestId={error.digest} heading="h1">
        <p>
          The server or its database did not answer. Collectors keep their snapshots and send them later. The
          server&rsquo;s log names the reason under the id below.
        </p>
        <Button onClick={reset}>Try again</Button>
      </StatePanel>
    </main>
  );
}
