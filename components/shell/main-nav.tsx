"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useRef } from "react";
import type { PageLink } from "./pages.ts";

/** The pages in a row, or behind a button where a row has no room. */
export function MainNav({ pages }: { readonly pages: readonly PageLink[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const pathname = usePathname();
  const here = (href: string) => (href === "/" ? pathname === "/" : pathname.startsWith(href));
  const links = (className: string) =>
    pages.map(({ href, label }) => (
      <Link
        key={href}
        href={href}
        aria-current={here(href) ? "page" : undefined}
        className={`flex items-center whitespace-nowrap text-ink-2 hover:text-ink hover:no-underline aria-[current=page]:text-ink ${className}`}
        onClick={() => menu.current?.removeAttribute("open")}
      >
        {label}
      </Link>
    ));
  return (
    <>
      <nav aria-label="Main" className="flex h-full flex-none gap-0.5 max-lg:hidden">
        {links("px-2")}
      </nav>
      <nav aria-label="Main" className="lg:hidden">
        <details
          ref={menu}
          className="relative"
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.removeAttribute("open");
          }}
        >
          <summary className="cursor-pointer whitespace-nowrap rounded-2 border border-line-2 px-2 py-0.5 select-none">
            {pages.find(({ href }) => here(href))?.label ?? "Pages"}
          </summary>
          <div className="absolute top-full left-0 z-30 mt-1 flex min-w-44 flex-col rounded-2 border border-line-3 bg-surface py-1">
            {links("min-h-8 px-3")}
          </div>
        </details>
      </nav>
    </>
  );
}
