import type { Metadata } from "next";
import { PeopleView } from "#components/account/people-view.tsx";
import { loadPeople } from "#lib/server/loaders/load-account.ts";

export const metadata: Metadata = { title: "People" };

/** Everybody with an account, what they may do, and how somebody new is let in. */
export default async function PeoplePage() {
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      <h1 className="pt-4 pb-1 text-xl font-semibold">People</h1>
      <p className="max-w-[110ch] pb-3 text-sm text-ink-2">
        Accounts are never deleted, so that what somebody wrote keeps its author. Who is disabled is signed
        out everywhere.
      </p>
      <PeopleView {...await loadPeople()} />
    </main>
  );
}
