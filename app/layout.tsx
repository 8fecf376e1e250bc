import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { THEME_COOKIE, themeFromCookie } from "#components/shell/theme-cookie.ts";
import { TopBar } from "#components/shell/top-bar.tsx";
import { loadShellPerson } from "#lib/server/loaders/load-shell-person.ts";
import { isDemo } from "#lib/server/loaders/is-demo.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Plumbline", template: "%s · Plumbline" },
  description: "Which nodes leak kernel memory, what leaks, since when, and whether the fix held.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeFromCookie((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <body>
        <TopBar theme={theme} demo={isDemo()} person={await loadShellPerson()} />
        {children}
      </body>
    </html>
  );
}
