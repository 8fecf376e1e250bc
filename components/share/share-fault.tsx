"use client";

import { Button } from "../ui/button.tsx";
import { StatePanel } from "../ui/state-panel.tsx";

/** In place of a shared page that failed, for who has nothing but its link. */
export function ShareFault({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}) {
  return (
    <main id="main" className="mx-auto max-w-[40rem] px-page py-10">
      <title>Shared investigation</title>
      <StatePanel title="This page cannot be shown now" tone="error" requestId={error.digest} heading="h1">
        <p>
          The link is good; the server behind it failed. Try again in a minute. If it stays so, tell whoever
          sent it the number below.
        </p>
        <Button onClick={reset}>Try again</Button>
      </StatePanel>
    </main>
  );
}
