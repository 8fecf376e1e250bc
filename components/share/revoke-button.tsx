"use client";

import { useState } from "react";
import { Button } from "../ui/button.tsx";

/** Ends a link, once asked and once more. */
export function RevokeButton({
  shareId,
  onRevoke,
}: {
  readonly shareId: number;
  readonly onRevoke: () => void;
}) {
  const [asked, setAsked] = useState(false);
  return (
    <Button tone={asked ? "danger" : "plain"} onClick={() => (asked ? onRevoke() : setAsked(true))}>
      {asked ? "Revoke for good" : "Revoke"}
      <span className="sr-only"> link {shareId}</span>
    </Button>
  );
}
