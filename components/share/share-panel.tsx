"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { shareLines } from "#lib/charts/share-model.ts";
import { madeShare, SHARE_PASSWORD_CHARS, shareList } from "#lib/contracts/share.ts";
import type { Share } from "#lib/contracts/share.ts";
import { getJson, send, sendForAnswer } from "../node/api-client.ts";
import { Button, Segments } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Fault, FIELD_CLASS } from "../ui/field.tsx";
import { KEPT_NAMES, REPLACED_NAMES } from "../ui/replaced-names.ts";
import { Section } from "../ui/section.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { useCopy } from "../ui/use-copy.ts";
import { RevokeButton } from "./revoke-button.tsx";
import { ShareFacts } from "./share-facts.tsx";

const KINDS: readonly { value: Share["kind"]; label: string }[] = [
  { value: "live", label: "Live" },
  { value: "frozen", label: "Frozen" },
];

const KIND_NOTES: Readonly<Record<Share["kind"], string>> = {
  live: "Follows the data and the texts.",
  frozen: "A copy of everything as it is now: nothing that happens later changes it.",
};

const DAY_MS = 86_400_000;
const LIFETIMES: readonly { value: string; label: string; ms: number | undefined }[] = [
  { value: "never", label: "for good", ms: undefined },
  { value: "1d", label: "for a day", ms: DAY_MS },
  { value: "7d", label: "for a week", ms: 7 * DAY_MS },
  { value: "30d", label: "for 30 days", ms: 30 * DAY_MS },
];

const POLL_MS = 400;

/** Links to an investigation: makes them, shows their address once, says how often they were opened, ends them. */
export function SharePanel({
  path: investigationPath,
  page,
  shares,
  zone,
  nowMs,
}: {
  /** Of the investigation, in the API. */
  readonly path: string;
  /** Its page. */
  readonly page: string;
  readonly shares: readonly Share[];
  readonly zone: string;
  readonly nowMs: number;
}) {
  const router = useRouter();
  const path = `${investigationPath}/shares`;
  const [kind, setKind] = useState<Share["kind"]>("live");
  const [redacted, setRedacted] = useState(false);
  const [lifetime, setLifetime] = useState("never");
  const [password, setPassword] = useState("");
  const [address, setAddress] = useState("");
  const { fault, attempt } = useAttempt();
  // A lifetime is counted by the clock of the server: that of the browser may be days off.
  const behindMs = useRef(0);
  useEffect(() => {
    behindMs.current = nowMs - Date.now();
  }, [nowMs]);
  const [progress, setProgress] = useState<string>();

  const act = async (work: () => Promise<void>) => {
    await attempt(work);
    router.refresh();
  };
  const show = (made: { readonly path: string }) => setAddress(`${window.location.origin}${made.path}`);
  const make = (event: FormEvent) => {
    event.preventDefault();
    setAddress("");
    setProgress(kind === "frozen" ? "Copying\u2026" : "");
    const watch = kind === "frozen" ? setInterval(() => void watchCopying(), POLL_MS) : undefined;
    const watchCopying = async () => {
      const newest = await getJson(path, shareList, AbortSignal.timeout(5000)).catch(() => undefined);
      const parts = newest?.shares.find(({ state }) => state === "freezing")?.parts;
      if (parts) setProgress((now) => now && `Copying: ${parts.done} of ${parts.total} views`);
    };
    const ms = LIFETIMES.find(({ value }) => value === lifetime)?.ms;
    void act(async () => {
      try {
        const body = {
          kind,
          redacted,
          ...(ms !== undefined && { expiresAt: Date.now() + behindMs.current + ms }),
          ...(password !== "" && { password }),
        };
        show(await sendForAnswer("POST", path, body, madeShare));
        setPassword("");
      } finally {
        clearInterval(watch);
        setProgress(undefined);
      }
    });
  };
  const lines = shareLines(shares, { zone, nowMs });
  return (
    <Section id="h-share" title="Share" note="a page to read for whoever has its address, without an account">
      <form onSubmit={make} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1 text-sm">
        <Segments label="Kind of link" options={KINDS} value={kind} onChoose={setKind} />
        <Choice
          label="Lifetime"
          value={lifetime}
          options={LIFETIMES.map(({ value, label }) => [value, label])}
          onChoose={setLifetime}
        />
        <label className="inline-flex flex-wrap items-center gap-1.5">
          Password
          <input
            type="password"
            value={password}
            minLength={SHARE_PASSWORD_CHARS.least}
            maxLength={SHARE_PASSWORD_CHARS.most}
            autoComplete="new-password"
            placeholder="none"
            onChange={({ target }) => setPassword(target.value)}
            className={`${FIELD_CLASS} w-40 placeholder:text-ink-3`}
          />
        </label>
        <label className="inline-flex items-center gap-1.5">
          <input type="checkbox" checked={redacted} onChange={({ target }) => setRedacted(target.checked)} />
          Replace names
        </label>
        <Link href={`${page}/preview${redacted ? "?redacted=1" : ""}`} prefetch={false} target="_blank">
          Preview<span className="sr-only"> what the link shows, in a new tab</span>
        </Link>
        <Button type="submit" tone="primary" disabled={progress !== undefined}>
          Make link
        </Button>
        <span className="text-ink-2">
          {KIND_NOTES[kind]}{" "}
          {redacted
            ? `${REPLACED_NAMES} before anything leaves; the preview lists them. ${KEPT_NAMES}`
            : "Texts stand as they were written, those of marks and of the log too, also where they name other nodes or people."}
        </span>
      </form>
      <p role="status" className="text-sm text-ink-2">
        {progress}
      </p>
      <Fault text={fault} />
      {address === "" ? null : <NewAddress address={address} />}
      {lines.length === 0 ? (
        <p className="py-1 text-sm text-ink-2">No link was made yet.</p>
      ) : (
        <ul aria-label="Links" className="text-sm">
          {lines.map((line) => (
            <li
              key={line.shareId}
              className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-1.5 ${line.isOpen ? "" : "text-ink-2"}`}
            >
              <ShareFacts line={line} />
              <span className="ml-auto flex gap-1.5">
                {line.isOpen ? (
                  <Button
                    onClick={() =>
                      void act(async () =>
                        show(
                          await sendForAnswer(
                            "POST",
                            `${path}/${line.shareId}/address`,
                            undefined,
                            madeShare,
                          ),
                        ),
                      )
                    }
                  >
                    New address<span className="sr-only"> link {line.shareId}</span>
                  </Button>
                ) : null}
                {line.canEnd ? (
                  <RevokeButton
                    shareId={line.shareId}
                    onRevoke={() =>
                      void act(async () => {
                        await send("DELETE", `${path}/${line.shareId}`);
                        setAddress("");
                      })
                    }
                  />
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The address of a link, while it can still be seen. */
function NewAddress({ address }: { readonly address: string }) {
  const { said, copy } = useCopy();
  return (
    <div className="my-1 grid gap-1 border border-line-3 bg-surface-2 px-2.5 py-2 text-sm">
      <p>This address is shown once: only a fingerprint of it is kept.</p>
      <p className="flex flex-wrap items-center gap-2">
        <input
          aria-label="Address of the link"
          readOnly
          value={address}
          onFocus={({ target }) => target.select()}
          className={`${FIELD_CLASS} min-w-0 flex-1 font-mono text-[11.5px]`}
        />
        <Button onClick={() => void copy(address)}>Copy</Button>
        <span role="status" className="text-ink-2">
          {said}
        </span>
      </p>
    </div>
  );
}
