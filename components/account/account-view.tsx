"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { formatMoment } from "#lib/charts/format-time.ts";
import { sessionList, type Session } from "#lib/contracts/person.ts";
import { getJson, send } from "../node/api-client.ts";
import { BlockRow, BlockTable, NamedCell } from "../ui/block-table.tsx";
import type { ColumnHeads } from "../ui/column-heads.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { Fault, Field } from "../ui/field.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

const HEADS: ColumnHeads = [
  "browser",
  "address",
  "since",
  "until",
  { key: "act", content: <span className="sr-only">sign out</span> },
];

/** Where somebody is signed in, and their password. */
export function AccountView({
  sessions: atFirst,
  nowMs,
}: {
  readonly sessions: readonly Session[];
  readonly nowMs: number;
}) {
  const [sessions, setSessions] = useState(atFirst);
  const { busy, fault, attempt } = useAttempt();
  const leave = (path: string) =>
    attempt(async () => {
      await send("DELETE", path);
      window.location.assign("/sign-in");
    });
  const end = (sessionId: string) =>
    attempt(async () => {
      await send("DELETE", `/api/v1/sessions/${sessionId}`);
      setSessions((await getJson("/api/v1/sessions", sessionList, new AbortController().signal)).sessions);
    });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Section id="h-sessions" title="Where you are signed in" note="times in UTC">
        <BlockTable region="Sessions, scrolls sideways" label="Sessions" heads={HEADS}>
          {sessions.map((each) => (
            <BlockRow key={each.sessionId}>
              <th role="rowheader" scope="row" className="max-w-[70ch] [overflow-wrap:anywhere]">
                <bdi>{each.userAgent ?? "not told"}</bdi>
              </th>
              <td role="cell">{each.address ?? "not known"}</td>
              <NamedCell name="since">{formatMoment(each.startedAt, "UTC", nowMs)}</NamedCell>
              <NamedCell name="until">{formatMoment(each.expiresAt, "UTC", nowMs)}</NamedCell>
              <td role="cell" className="num">
                {each.current ? (
                  "here"
                ) : (
                  <Button disabled={busy} onClick={() => void end(each.sessionId)}>
                    Sign out there
                  </Button>
                )}
              </td>
            </BlockRow>
          ))}
        </BlockTable>
        <div className="flex flex-wrap gap-2 py-2">
          <Button disabled={busy} onClick={() => void leave("/api/v1/session")}>
            Sign out
          </Button>
          <Button tone="danger" disabled={busy} onClick={() => void leave("/api/v1/sessions")}>
            Sign out everywhere
          </Button>
        </div>
        <Fault text={fault} />
      </Section>
      <PasswordSection />
    </div>
  );
}

function PasswordSection() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [done, setDone] = useState(false);
  const { busy, fault, fields, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setDone(false);
    void attempt(async () => {
      await send("POST", "/api/v1/password", { current, next });
      setCurrent("");
      setNext("");
      setDone(true);
    });
  };
  return (
    <Section id="h-password" title="Password" note="changing it signs you out everywhere else">
      <form onSubmit={submit} className="grid justify-items-start gap-3 py-2">
        <Field
          label="Password now"
          type="password"
          autoComplete="current-password"
          fault={fields.get("current")}
          value={current}
          onText={setCurrent}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          fault={fields.get("next")}
          value={next}
          onText={setNext}
        />
        <Fault text={fields.size > 0 ? "" : fault} />
        <Button type="submit" disabled={busy}>
          Change the password
        </Button>
        <p role="status" className="text-sm text-ink-2 empty:hidden">
          {done ? "Changed. You are signed in here alone." : ""}
        </p>
      </form>
    </Section>
  );
}
