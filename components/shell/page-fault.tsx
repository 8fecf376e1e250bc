"use client";

import { FaultPage } from "../ui/fault-page.tsx";
import type { PageError } from "../ui/fault-page.tsx";

const TITLE = "This page could not be read";

/** In place of a page that failed. */
export function PageFault(fault: PageError) {
  return (
    <FaultPage fault={fault} name={TITLE} title={TITLE} className="max-w-[1680px] py-6">
      The server or its database did not answer. Collectors keep their snapshots and send them later. The
      server&rsquo;s log names the reason under the id below.
    </FaultPage>
  );
}
