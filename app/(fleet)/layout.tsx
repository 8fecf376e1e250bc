import type { ReactNode } from "react";
import { PinDesk } from "#components/investigation/pin-desk.tsx";

/** What the pages of the fleet have in common: whatever they show can be pinned. */
export default function FleetLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <PinDesk />
    </>
  );
}
