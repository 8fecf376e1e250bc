"use client";

import Link from "next/link";
import { useRef } from "react";
import { isAtLeast } from "#lib/contracts/role.ts";
import type { Role } from "#lib/contracts/role.ts";
import { send } from "../node/api-client.ts";

/** Who looks at the pages. */
export interface ShellPerson {
  readonly name: string;
  readonly role: Role;
  /** Whether they are signed in with an account, rather than being let in as they are. */
  readonly hasAccount: boolean;
}

const ITEM =
  "block w-full px-3 py-1.5 text-left text-sm text-ink hover:bg-surface-2 hover:text-ink hover:no-underline";

/** Who you are, and what belongs to that: account, people, audit trail, the way out. */
export function UserMenu({ person }: { readonly person: ShellPerson }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  const signOut = async () => {
    await send("DELETE", "/api/v1/session");
    window.location.assign("/sign-in");
  };
  return (
    <details
      ref={menu}
      className="relative min-w-0"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        close();
        menu.current?.querySelector("summary")?.focus();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <summary className="flex h-8 max-w-40 cursor-pointer items-center rounded-2 border border-line-2 bg-surface px-2 text-sm text-ink hover:bg-surface-2 md:h-7">
        <span className="truncate">
          <span className="sr-only">You: </span>
          <bdi>{person.name}</bdi>
        </span>
      </summary>
      <div
        className="absolute right-0 z-20 mt-1 w-52 rounded-2 border border-line-3 bg-surface py-1"
        onClick={close}
      >
        <p className="px-3 py-1 text-sm text-ink-2">
          {person.hasAccount ? person.role : `at the server's machine, ${person.role}`}
        </p>
        {person.hasAccount ? (
          <Link href="/account" className={ITEM}>
            Account
          </Link>
        ) : null}
        {isAtLeast(person.role, "investigator") ? (
          <Link href="/shares" className={ITEM}>
            Share links
          </Link>
        ) : null}
        {person.role === "administrator" ? (
          <>
            <Link href="/people" className={ITEM}>
              People
            </Link>
            <Link href="/audit" className={ITEM}>
              Audit trail
            </Link>
          </>
        ) : null}
        {person.hasAccount ? (
          <button type="button" className={ITEM} onClick={() => void signOut()}>
            Sign out
          </button>
        ) : (
          <Link href="/sign-in" className={ITEM}>
            Sign in
          </Link>
        )}
      </div>
    </details>
  );
}
