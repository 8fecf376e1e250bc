import Link from "next/link";
import { SimulatedBadge } from "../ui/simulated-badge.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import type { ThemeChoice } from "./theme-cookie.ts";

/** What stands on top of every page. */
export function TopBar({
  theme,
  demo,
}: {
  readonly theme: ThemeChoice;
  /** Whether all that is shown is made up. */
  readonly demo: boolean;
}) {
  return (
    <>
      <a href="#main" className="absolute -left-[999px] z-30 bg-surface p-2 focus:top-2 focus:left-2">
        Skip to content
      </a>
      <header className="flex h-11 items-center gap-2 border-b border-line px-page max-md:h-auto max-md:flex-wrap max-md:gap-y-0 max-md:pt-1.5">
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
        <nav
          aria-label="Main"
          className="flex h-full min-w-0 gap-0.5 max-md:order-last max-md:-ml-2 max-md:h-9 max-md:w-full max-md:overflow-x-auto max-md:[&>a]:px-1.5"
        >
          {demo ? (
            <Link
              href="/stories"
              className="flex items-center px-2 font-semibold text-ink hover:text-ink hover:no-underline"
            >
              Stories
            </Link>
          ) : null}
          <Link href="/" className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline">
            Fleet
          </Link>
          <Link
            href="/cohorts"
            className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline"
          >
            Cohorts
          </Link>
          <Link href="/marks" className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline">
            Marks
          </Link>
          <Link
            href="/experiments"
            className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline"
          >
            Experiments
          </Link>
          <Link
            href="/compare"
            className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline"
          >
            Compare
          </Link>
          <Link
            href="/add-nodes"
            className="flex items-center px-2 whitespace-nowrap text-ink-2 hover:text-ink hover:no-underline"
          >
            Add nodes
          </Link>
          <Link
            href="/docs/api"
            className="flex items-center px-2 text-ink-2 hover:text-ink hover:no-underline"
          >
            API
          </Link>
        </nav>
        <span className="flex-1" />
        {demo ? <SimulatedBadge text="demonstration: all data simulated" /> : null}
        <ThemeSwitch initial={theme} />
        <KeysDialog />
      </header>
    </>
  );
}
