import type { Metadata } from "next";
import { SignInForm } from "#components/account/sign-in-form.tsx";
import { Command, StatePanel } from "#components/ui/state-panel.tsx";
import { loadSignIn } from "#lib/server/loaders/load-account.ts";

export const metadata: Metadata = { title: "Sign in" };

/** Lets somebody in who has an account, and says how to get the first one. */
export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, name, without, closed } = await loadSignIn(await searchParams);
  return (
    <main id="main" className="mx-auto grid max-w-[40rem] gap-3 px-page pt-10 pb-10">
      <h1 className="text-xl font-semibold">Sign in</h1>
      {name === undefined ? null : (
        <p className="text-sm text-ink-2">
          You are signed in as <b>{name}</b>. <a href={next}>Go on</a>, or sign in as somebody else.
        </p>
      )}
      {without === undefined ? null : (
        <p className="text-sm text-ink-2">
          {without === "at the machine"
            ? "You are at the server\u2019s machine, where no account is needed: "
            : "This server can be read without an account: "}
          <a href={next} className="underline">
            go on
          </a>
          {closed === undefined ? ", or sign in." : "."}
        </p>
      )}
      {closed === undefined ? <SignInForm next={next} /> : null}
      {closed === "no administrator" ? (
        <StatePanel title="Nobody has an account yet">
          <p>
            Open the one-time address that the server printed when it started: it makes the first
            administrator. Another one is printed on the server&rsquo;s machine by
          </p>
          <Command>npm run admin-link</Command>
        </StatePanel>
      ) : null}
      {closed === "no secret" ? (
        <StatePanel title="This server keeps no accounts">
          <p>
            It was started without <code>PLUMBLINE_LOCAL_SECRET</code>, which signs sessions. Its pages answer
            on its own machine.
          </p>
        </StatePanel>
      ) : null}
    </main>
  );
}
