import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { THEME_COOKIE, themeFromCookie } from "#components/shell/theme-cookie.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Plumbline", template: "%s · Plumbline" },
  description: "Which nodes leak kernel memory, what leaks, since when, and whether the fix held.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

/** What every page has; the bar on top is of those that somebody with an account sees, and no part of a shared link. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeFromCookie((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
