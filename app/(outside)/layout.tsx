import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Shell } from "#components/shell/shell.tsx";
import { THEME_COOKIE, themeFromCookie } from "#components/shell/theme-cookie.ts";
import { isDemo } from "#lib/server/loaders/is-demo.ts";
import { loadShellPerson } from "#lib/server/loaders/load-shell-person.ts";

/** What stands on top of pages that show nothing of the fleet. */
export default async function OutsideLayout({ children }: { readonly children: ReactNode }) {
  const theme = themeFromCookie((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Shell theme={theme} demo={isDemo()} person={await loadShellPerson()}>
      {children}
    </Shell>
  );
}
