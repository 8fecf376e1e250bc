import Link from "next/link";
import { SimulatedBadge } from "../ui/simulated-badge.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { MainNav } from "./main-nav.tsx";
import { pagesFor } from "./pages.ts";
import { SearchDialog } from "./search-dialog.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import type { ThemeChoice } from "./theme-cookie.ts";
import { UserMenu } from "./user-menu.tsx";
import type { ShellPerson } from "./user-menu.tsx";

/** What stands on top of every page. */
export function TopBar({
  theme,
  demo,
  person,
}: {
  readonly theme: ThemeChoice;
  /** Whether all that is shown is made up. */
  readonly demo: boolean;
  /** Who looks; `stranger` for somebody who may only read, undefined for nobody who was let in. */
  readonly person: ShellPerson | "stranger" | undefined;
}) {
  const pages = pagesFor({
    demo,
    administrator: typeof person === "object" && person.role === "administrator",
  });
  return (
    <>
      <a href="#main" className="absolute -left-[999px] z-30 bg-surface p-2 focus:top-2 focus:left-2">
        Skip to content
      </a>
      <header className="flex h-11 items-center gap-2 border-b border-line px-page">
        <Link
          href="/"
          className="mr-3 flex items-center gap-1.5 text-[14px] font-semibold text-ink hover:no-underline"
        >
          <svg width="12" height="18" viewBox="0 0 12 18" aria-hidden="true">
            <path d="M6 0v9" stroke="currentColor" strokeWidth="1.25" />
            <path d="M3 9h6l-3 8Z" fill="currentColor" />
          </svg>
          <span>Plumbline</span>
        </Link>
        {person === undefined ? null : <MainNav pages={pages} />}
        <span className="flex-1" />
        {demo ? (
          <>
            <span className="max-[1360px]:hidden">
              <SimulatedBadge text="demonstration: all data simulated" />
            </span>
            <span className="min-[1360px]:hidden">
              <SimulatedBadge text="demo" />
            </span>
          </>
        ) : null}
        <ThemeSwitch initial={theme} />
        {person === undefined ? null : <SearchDialog pages={pages} />}
        <KeysDialog />
        {person === "stranger" ? <Link href="/sign-in">Sign in</Link> : null}
        {typeof person === "object" ? <UserMenu person={person} /> : null}
      </header>
    </>
  );
}
