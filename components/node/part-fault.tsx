import type { Part } from "#lib/charts/node-data.ts";
import { StatePanel } from "../ui/state-panel.tsx";

/** Says in its place that one part of a node's page could not be read, while the others stand. Nothing for one that was. */
export function PartFault({ part, title }: { readonly part: Part<unknown>; readonly title: string }) {
  if (part.ok) return null;
  return (
    <StatePanel title={title} tone="error" requestId={part.requestId} heading="h3">
      <p>{part.message}</p>
    </StatePanel>
  );
}
