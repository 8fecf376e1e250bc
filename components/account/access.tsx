"use client";

import Link from "next/link";
import { createContext, useContext, useMemo } from "react";
import type { ReactNode } from "react";
import { isAtLeast } from "#lib/contracts/role.ts";
import type { Role } from "#lib/contracts/role.ts";
import { useNotice } from "../ui/notice.tsx";
import { useKeys } from "../ui/use-keys.ts";
import type { KeyMap } from "../ui/use-keys.ts";

interface Access {
  readonly role: Role;
  /** Whether signing in could help. */
  readonly canSignIn: boolean;
}

const AccessContext = createContext<Access>({ role: "viewer", canSignIn: false });

/**
 * Tells all below what the reader may do, so that nobody is offered what the server refuses. It keeps nobody out: the server
 * asks again for each request.
 */
export function AccessProvider({ role, canSignIn, children }: Access & { readonly children: ReactNode }) {
  const access = useMemo(() => ({ role, canSignIn }), [role, canSignIn]);
  return <AccessContext value={access}>{children}</AccessContext>;
}

/** Whether the reader may write what investigators write. */
export function useMayWrite(): boolean {
  return isAtLeast(useContext(AccessContext).role, "investigator");
}

/** Shows what only some may use, and `instead` to the others. */
export function ForRole({
  least,
  children,
  instead = null,
}: {
  readonly least: Role;
  readonly children: ReactNode;
  readonly instead?: ReactNode;
}) {
  return isAtLeast(useContext(AccessContext).role, least) ? children : instead;
}

/** As `useKeys`, for keys that write. `deed` is what they do: who may only read is told why nothing opens. */
export function useWritingKeys(deed: string, keys: KeyMap): void {
  const mayWrite = useMayWrite();
  const { canSignIn } = useContext(AccessContext);
  const say = useNotice();
  const refuse = () =>
    say(
      <>
        {deed} takes an investigator: you are here as a viewer.
        {canSignIn ? <Link href="/sign-in">Sign in</Link> : null}
      </>,
    );
  useKeys(mayWrite ? keys : Object.fromEntries(Object.keys(keys).map((key) => [key, refuse])));
}
