"use client";

import { useState } from "react";
import { THEME_COOKIE } from "./theme-cookie.ts";
import type { ThemeChoice } from "./theme-cookie.ts";

/** Light, dark, or as the system has it. */
export function ThemeSwitch({ initial }: { readonly initial: ThemeChoice }) {
  const [theme, setTheme] = useState(initial);
  const choose = (next: ThemeChoice) => {
    setTheme(next);
    const root = document.documentElement;
    if (next === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = next;
    document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=31536000; samesite=lax`;
  };
  return (
    <select
      aria-label="Theme"
      value={theme}
      onChange={(event) => choose(event.target.value as ThemeChoice)}
      className="h-8 rounded-2 border border-line-3 bg-surface px-1.5 text-sm text-ink md:h-7"
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
