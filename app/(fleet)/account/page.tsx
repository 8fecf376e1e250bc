import type { Metadata } from "next";
import { AccountView } from "#components/account/account-view.tsx";
import { ROLE_TEXT } from "#components/account/role-text.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { loadAccount } from "#lib/server/loaders/load-account.ts";

export const metadata: Metadata = { title: "Account" };

/** Who you are, where you are signed in, and your password. */
export default async function AccountPage() {
  const account = await loadAccount();
  return (
    <main id="main" className="mx-auto max-w-[1680px] px-page pb-10">
      {account === undefined ? (
        <div className="pt-4">
          <StatePanel title="You are here without an account" heading="h1">
            <p>
              <a href="/sign-in">Sign in</a>, or ask an administrator for a link.
            </p>
          </StatePanel>
        </div>
      ) : (
        <>
          <h1 className="pt-4 pb-1 text-xl font-semibold">{account.name}</h1>
          <p className="pb-3 text-sm text-ink-2">
            {account.role}: {ROLE_TEXT[account.role]}.
          </p>
          <AccountView sessions={account.sessions} nowMs={account.nowMs} />
        </>
      )}
    </main>
  );
}
