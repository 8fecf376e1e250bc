"use client";

import Link from "next/link";
import { createContext, useContext } from "react";
import type { ReactNode } from "react";

/** Whether whoever looks has the other pages of the product; false on a page that is shared by link. */
export const InnerLinksContext = createContext(true);

/** A link to another page of the product; its text alone where there is none to be led to. */
export function InnerLink({
  href,
  className,
  title,
  scroll = true,
  current = false,
  children,
}: {
  readonly href: string;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  readonly scroll?: boolean;
  /** Whether it is what is shown now. */
  readonly current?: boolean;
  readonly children: ReactNode;
}) {
  if (!useContext(InnerLinksContext) || href === "") return <span title={title}>{children}</span>;
  return (
    <Link
      href={href}
      prefetch={false}
      className={className}
      title={title}
      scroll={scroll}
      aria-current={current ? "true" : undefined}
    >
      {children}
    </Link>
  );
}
