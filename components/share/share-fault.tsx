"use client";

import { FaultPage } from "../ui/fault-page.tsx";
import type { PageError } from "../ui/fault-page.tsx";

/** In place of a shared page that failed, for who has nothing but its link. */
export function ShareFault(fault: PageError) {
  return (
    <FaultPage
      fault={fault}
      name="Shared investigation"
      title="This page cannot be shown now"
      className="max-w-[40rem] py-10"
    >
      The link is good; the server behind it failed. Try again in a minute. If it stays so, tell whoever sent
      it the number below.
    </FaultPage>
  );
}
