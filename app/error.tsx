"use client";

import { Button } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";

export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page py-6">
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
