import type { Part } from "#lib/charts/node-data.ts";
import { StatePanel } from "../ui/state-panel.tsx";

/** Samples are kept for days, what they were rolled up to for months. */
export const NO_WHOLE_SAMPLE = "No whole sample of this time is kept";

/**
 * Says in its place that one part of a node's page could not be read, while the others stand. Nothing for one that was.
 * `absentTitle` is for a part that a time may be without, which is no fault.
 */
export function PartFault({
  part,
  title,
  absentTitle,
}: {
  readonly part: Part<unknown>;
  readonly title: string;
  readonly absentTitle?: string;
}) {
  if (part.ok) return null;
  if (part.absent && absentTitle !== undefined) {
    return (
      <StatePanel title={absentTitle} heading="h3">
        <p>{part.message}</p>
      </StatePanel>
    );
  }
  return (
    <StatePanel title={title} tone="error" requestId={part.requestId} heading="h3">
      <p>{part.message}</p>
    </StatePanel>
  );
}
