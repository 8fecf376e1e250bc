"use client";

import Link from "next/link";
import { useId, useState } from "react";
import type { FormEvent } from "react";
import type { ImportItem } from "#lib/charts/import-model.ts";
import type { ChangeImport } from "#lib/contracts/history-import.ts";
import { send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

const TONES = {
  busy: "text-accent-ink",
  good: "text-ok-ink",
  bad: "text-leaking-ink",
  still: "text-unknown-ink",
} as const;

/** One import: how far it is, what it stored and left out, where its nodes are; and what may be done with it. */
export function ImportRow({
  item,
  onChanged,
}: {
  readonly item: ImportItem;
  readonly onChanged: () => Promise<void>;
}) {
  const id = useId();
  const [asked, setAsked] = useState(false);
  const [bearer, setBearer] = useState("");
  const { busy, fault, fields, attempt } = useAttempt();

  const change = async (body: ChangeImport) => {
    await attempt(async () => {
      await send("PATCH", `/api/v1/imports/${item.importId}`, body);
      setAsked(false);
      setBearer("");
    });
    await onChanged();
  };
  const resume = (event: FormEvent) => {
    event.preventDefault();
    const token = bearer.trim();
    void change({ action: "resume", ...(token !== "" && { bearer: token }) });
  };
  const percent = Math.floor(item.doneShare * 100);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t border-line py-2.5 text-sm first:border-t-0">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h3 className="min-w-0 [overflow-wrap:anywhere]">
          <b>
            <bdi>{item.url}</bdi>
          </b>{" "}
          <span className={`font-semibold ${TONES[item.standing.tone]}`}>{item.standing.word}</span>
        </h3>
        <span className="ml-auto">
          {item.mayCancel ? (
            <Button
              disabled={busy}
              aria-label={`Cancel import ${item.importId}`}
              onClick={() => void change({ action: "cancel" })}
            >
              Cancel
            </Button>
          ) : null}
          {item.mayResume && !asked ? (
            <Button aria-label={`Resume import ${item.importId}`} onClick={() => setAsked(true)}>
              Resume
            </Button>
          ) : null}
        </span>
      </div>
      <p className="[overflow-wrap:anywhere] text-ink-2">
        import {item.importId}, cluster <bdi>{item.cluster}</bdi>, {item.window}, {item.about.join(", ")}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div
          role="progressbar"
          aria-label={`Import ${item.importId}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={item.doneText}
          className="h-1.5 w-56 max-w-full bg-surface-3"
        >
          <div className="h-full bg-accent" style={{ width: `${item.doneShare * 100}%` }} />
        </div>
        <span>{item.doneText}</span>
        {item.stored ? <span>{item.stored}</span> : null}
      </div>
      {item.nodes.length > 0 ? (
        <p className="[overflow-wrap:anywhere]">
          Look at{" "}
          {item.nodes.map(({ name, href }, index) => (
            <span key={href}>
              {index > 0 ? ", " : ""}
              <Link href={href} prefetch={false}>
                <bdi>{name}</bdi>
              </Link>
            </span>
          ))}
          {item.others ? (
            <>
              {" "}
              <Link href={item.others.href} prefetch={false}>
                {item.others.text}
              </Link>
            </>
          ) : null}
        </p>
      ) : null}
      {item.losses.map((loss) => (
        <p key={loss} className="max-w-[110ch] text-growing-ink">
          {loss}
        </p>
      ))}
      {item.error ? (
        <p className="max-w-[110ch] [overflow-wrap:anywhere] text-leaking-ink">{item.error}</p>
      ) : null}
      {item.mayResume && asked ? (
        <form onSubmit={resume} className="flex flex-wrap items-end gap-x-3 gap-y-1.5">
          <span className="grid gap-0.5">
            <label htmlFor={`${id}-bearer`} className="text-ink-2">
              bearer token, if it needs one: the last was not kept
            </label>
            <input
              id={`${id}-bearer`}
              type="password"
              value={bearer}
              onChange={(event) => setBearer(event.target.value)}
              autoComplete="off"
              className="h-8 w-80 max-w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink md:h-7"
            />
          </span>
          <span className="flex gap-1.5">
            <Button type="submit" tone="primary" disabled={busy}>
              Go on
            </Button>
            <Button onClick={() => setAsked(false)}>Not now</Button>
          </span>
        </form>
      ) : null}
      {fault ? (
        <p role="alert" className="text-leaking-ink">
          {fields.get("bearer") ?? fault}
        </p>
      ) : null}
    </li>
  );
}
