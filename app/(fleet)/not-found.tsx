import Link from "next/link";
import { StatePanel } from "#components/ui/state-panel.tsx";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page py-6">
      <StatePanel title="There is nothing at this address" heading="h1">
        <p>The node may have been removed, or the address was cut short.</p>
        <p>
          <Link href="/">Go to the fleet</Link>
        </p>
      </StatePanel>
    </main>
  );
}
