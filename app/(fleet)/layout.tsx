import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { PinDesk } from "#components/investigation/pin-desk.tsx";
import { Shell } from "#components/shell/shell.tsx";
import { THEME_COOKIE, themeFromCookie } from "#components/shell/theme-cookie.ts";
import { isDemo } from "#lib/server/loaders/is-demo.ts";
import { loadShellPerson } from "#lib/server/loaders/load-shell-person.ts";

/** What the pages of the fleet have in common: the bar on top, and whatever they show can be pinned. */
export default async function FleetLayout({ children }: { readonly children: ReactNode }) {
  const theme = themeFromCookie((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Shell theme={theme} demo={isDemo()} person={await loadShellPerson()}>
      {children}
      <PinDesk />
    </Shell>
  );
}
