"use client";

import { Button } from "./button.tsx";
import { Command } from "./state-panel.tsx";
import { useCopy } from "./use-copy.ts";

/** A command with the button that copies it. */
export function CopiedCommand({ command, label }: { readonly command: string; readonly label: string }) {
  const { said, copy } = useCopy();
  return (
    <div className="grid max-w-full grid-cols-[minmax(0,1fr)] gap-1">
      <Command>{command}</Command>
      <div className="flex items-center gap-2">
        <Button aria-label={`Copy: ${label}`} onClick={() => void copy(command)}>
          Copy
        </Button>
        <span role="status" className="text-sm text-ink-2">
          {said}
        </span>
      </div>
    </div>
  );
}
