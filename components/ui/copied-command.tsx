"use client";

import { useState } from "react";
import { Button } from "./button.tsx";
import { Command } from "./state-panel.tsx";

/** A command with the button that copies it. Where the browser gives no clipboard, which it does only to https and loopback, it says how. */
export function CopiedCommand({ command, label }: { readonly command: string; readonly label: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setSaid("Copied.");
    } catch {
      setSaid("This browser does not let the page copy: select the text and copy it.");
    }
  };
  return (
    <div className="grid max-w-full grid-cols-[minmax(0,1fr)] gap-1">
      <Command>{command}</Command>
      <div className="flex items-center gap-2">
        <Button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          Copy
        </Button>
        <span role="status" className="text-sm text-ink-2">
          {said}
        </span>
      </div>
    </div>
  );
}
