import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { THEME_COOKIE, themeFromCookie } from "#components/shell/theme-cookie.ts";
import { TopBar } from "#components/shell/top-bar.tsx";
import { isDemo } from "#lib/server/loaders/is-demo.ts";
import { loadShellPerson } from "#lib/server/loaders/load-shell-person.ts";

/** What stands on top of pages that show nothing of the fleet. */
export default async function OutsideLayout({ children }: { readonly children: ReactNode }) {
  const theme = themeFromCookie((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      <TopBar theme={theme} demo={isDemo()} person={await loadShellPerson()} />
      {children}
    </>
  );
}
