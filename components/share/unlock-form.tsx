import { Button } from "../ui/button.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";

const TRIED: Readonly<Record<string, string>> = {
  wrong: "That is not the password of this link.",
  often: "Too many attempts: try again in half a minute.",
};

/** Asks for the password of a link; a form as browsers send it, without a script. */
export function UnlockForm({
  token,
  tried,
}: {
  readonly token: string;
  /** What came of the last attempt. */
  readonly tried: string | readonly string[] | undefined;
}) {
  const fault = typeof tried === "string" && Object.hasOwn(TRIED, tried) ? TRIED[tried] : undefined;
  return (
    <main id="main" className="mx-auto grid max-w-[40rem] gap-3 px-page pt-10 pb-10">
      <h1 className="text-xl font-semibold">This link has a password</h1>
      <p className="text-sm text-ink-2">Whoever sent it to you knows it.</p>
      <form method="post" action="/api/v1/shares/unlock" className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="token" value={token} />
        <label className="grid gap-1 text-sm">
          Password
          <input
            type="password"
            name="password"
            required
            maxLength={256}
            autoComplete="off"
            aria-describedby={fault ? "unlock-fault" : undefined}
            aria-invalid={fault ? true : undefined}
            className={`${FIELD_CLASS} w-64 max-w-full md:!h-8`}
          />
        </label>
        <Button type="submit" tone="primary" className="md:!h-8">
          Open
        </Button>
      </form>
      {fault ? (
        <p role="alert" id="unlock-fault" className="text-sm text-leaking-ink">
          {fault}
        </p>
      ) : null}
    </main>
  );
}
