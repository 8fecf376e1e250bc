"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";

const PAGES = [
  { path: "", label: "Memory" },
  { path: "/findings", label: "Findings" },
  { path: "/slab", label: "Slab caches" },
  { path: "/cgroups", label: "Memory cgroups" },
  { path: "/directories", label: "Directories and tmpfs" },
  { path: "/objects", label: "Kernel objects" },
  { path: "/sources", label: "Sources" },
] as const;

/** How much of the tab before stays in sight. */
const BEFORE_PX = 48;

/** Which of a node's pages is shown: the end of its path. */
export type NodePagePath = (typeof PAGES)[number]["path"];

/** What of an address means the same on all pages of a node. */
const KEPT = ["from", "to", "timezone"] as const;

/** The pages of a node. Going to another keeps the window. */
export function NodeTabs({ nodeId, current }: { readonly nodeId: number; readonly current: NodePagePath }) {
  const parameters = useSearchParams();
  const kept = new URLSearchParams();
  for (const name of KEPT) {
    const value = parameters.get(name);
    if (value !== null) kept.set(name, value);
  }
  const query = kept.size > 0 ? `?${kept.toString()}` : "";
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a narrow screen the list scrolls sideways: where one is must be in sight, with a bit of what stands before it.
    const [tabs, shown] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")];
    if (!tabs || !shown) return;
    const leftPx = shown.getBoundingClientRect().left - tabs.getBoundingClientRect().left;
    if (leftPx + shown.offsetWidth > tabs.clientWidth) tabs.scrollLeft += leftPx - BEFORE_PX;
  }, [current]);
  return (
    <nav aria-label="Pages of this node" className="min-w-0 border-b border-line">
      <ul ref={list} className="-mb-px flex gap-x-4 overflow-x-auto">
        {PAGES.map(({ path, label }) => (
          <li key={path}>
            <Link
              href={`/nodes/${nodeId}${path}${query}`}
              prefetch={false}
              aria-current={path === current ? "page" : undefined}
              className="block border-b-2 border-transparent py-1 whitespace-nowrap text-ink-2 hover:text-ink hover:no-underline aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
