import type { Metadata } from "next";
import { InspectView } from "#components/inspect/inspect-view.tsx";

export const metadata: Metadata = { title: "Inspect a dump" };

/** A pasted dump, read in the browser. */
export default function InspectPage() {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <InspectView />
    </main>
  );
}
