import type { Metadata } from "next";
import { InvitationForm } from "#components/account/invitation-form.tsx";
import { ROLE_TEXT } from "#components/account/role-text.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { loadInvitation } from "#lib/server/loaders/load-account.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

/** A one-time address: makes an account, or sets another password. Opening it does not use it up. */
export default async function InvitationPage({ params }: PageProps<"/invitation/[code]">) {
  const { code } = await params;
  const invitation = await loadInvitation(code);
  return (
    <main id="main" className="mx-auto grid max-w-[40rem] gap-3 px-page pt-10 pb-10">
      {invitation === undefined ? (
        <StatePanel title="This address was used, taken back or has expired" heading="h1">
          <p>
            Each opens once, within three days. Ask an administrator for another one, or{" "}
            <a href="/sign-in">sign in</a>.
          </p>
        </StatePanel>
      ) : (
        <>
          <h1 className="text-xl font-semibold">
            {invitation.person === null ? "Make your account" : `Another password for ${invitation.person}`}
          </h1>
          <p className="text-sm text-ink-2">
            {invitation.person === null
              ? `As ${invitation.role}, who ${ROLE_TEXT[invitation.role]}.`
              : "It signs you out wherever you are signed in."}
          </p>
          <InvitationForm code={code} person={invitation.person} />
        </>
      )}
    </main>
  );
}
