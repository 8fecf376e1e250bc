import { StatePanel } from "#components/ui/state-panel.tsx";

/** While the nodes are being compared. */
export default function CohortsLoading() {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page py-4" aria-busy="true">
      <StatePanel title="Comparing nodes" heading="h1">
        <p>Every value of every attribute is held against all others.</p>
      </StatePanel>
    </main>
  );
}
