import { StatePanel } from "#components/ui/state-panel.tsx";

/** The same for every link that cannot be opened, whatever the reason. */
export default function NoShare() {
  return (
    <main id="main" className="mx-auto max-w-[40rem] px-page py-10">
      <StatePanel title="This link opens nothing" heading="h1">
        <p>It was taken back, has expired, or was cut short on its way. Ask who sent it for another one.</p>
      </StatePanel>
    </main>
  );
}
