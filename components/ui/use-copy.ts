"use client";

import { useState } from "react";

/** Copies text and says how it went. Browsers give a clipboard only to https and loopback. */
export function useCopy(): { readonly said: string; readonly copy: (text: string) => Promise<void> } {
  const [said, setSaid] = useState("");
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied.");
    } catch {
      setSaid("This browser does not let the page copy: select the text and copy it.");
    }
  };
  return { said, copy };
}
