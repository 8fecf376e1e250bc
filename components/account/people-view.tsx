"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { formatMoment } from "#lib/charts/format-time.ts";
import {
  invitationList,
  madeInvitation,
  type Invitation,
  type MakeInvitation,
} from "#lib/contracts/invitation.ts";
import { personList, type ChangePerson, type Person } from "#lib/contracts/person.ts";
import { role as roles, type Role } from "#lib/contracts/role.ts";
import { getJson, send, sendForAnswer } from "../node/api-client.ts";
import { BlockRow, BlockTable, NamedCell } from "../ui/block-table.tsx";
import { Button } from "../ui/button.tsx";
import { CopiedCommand } from "../ui/copied-command.tsx";
import { Section } from "../ui/section.tsx";
import { Fault } from "../ui/field.tsx";
import { ROLE_TEXT } from "./role-text.ts";
import { useAttempt } from "../ui/use-attempt.ts";

const CHANGE_HEAD = { key: "change", content: <span className="sr-only">change</span> };
const PEOPLE_HEADS = ["name", "e-mail address", "role", "since", "signed in", "standing", CHANGE_HEAD];
const INVITATION_HEADS = ["for", "role", "made by", "made", "until", CHANGE_HEAD];
const SELECT = "h-8 rounded-2 border border-line-3 bg-surface px-1.5 text-sm text-ink md:h-7";

/** Everybody with an account, what they may do, and how somebody new is let in. */
export function PeopleView({
  people: peopleAtFirst,
  invitations: invitationsAtFirst,
  server,
  nowMs,
}: {
  readonly people: readonly Person[];
  readonly invitations: readonly Invitation[];
  /** This server as the reader reached it. */
  readonly server: string;
  readonly nowMs: number;
}) {
  const [people, setPeople] = useState(peopleAtFirst);
  const [invitations, setInvitations] = useState(invitationsAtFirst);
  const [made, setMade] = useState<{ text: string; address: string }>();
  const [role, setRole] = useState<Role>("investigator");
  const { busy, fault, attempt } = useAttempt();

  const readAgain = async () => {
    const { signal } = new AbortController();
    const [known, open] = await Promise.all([
      getJson("/api/v1/people", personList, signal),
      getJson("/api/v1/invitations", invitationList, signal),
    ]);
    setPeople(known.people);
    setInvitations(open.invitations);
  };
  const change = (person: Person, changes: ChangePerson) =>
    void attempt(async () => {
      // Also after a refusal: what the page shows is what there is.
      await send("PATCH", `/api/v1/people/${person.personId}`, changes).finally(readAgain);
    });
  const invite = (body: MakeInvitation, text: string) =>
    void attempt(async () => {
      const { path } = await sendForAnswer("POST", "/api/v1/invitations", body, madeInvitation);
      setMade({ text, address: `${server}${path}` });
      await readAgain();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite({ role }, `Makes an account as ${role}.`);
  };
  const moment = (atMs: number) => formatMoment(atMs, "UTC", nowMs);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Section id="h-invite" title="Let somebody in" note="a link opens once, within three days">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-x-3 gap-y-2 py-1.5 text-sm">
          <label className="grid gap-0.5">
            <span className="text-ink-2">as</span>
            <select
              value={role}
              onChange={(event) => setRole(roles.parse(event.target.value))}
              className={SELECT}
            >
              {roles.options.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <Button type="submit" tone="primary" disabled={busy}>
            Make a link
          </Button>
          <span className="self-center text-ink-2">{ROLE_TEXT[role]}</span>
        </form>
        <Fault text={fault} />
        {made ? (
          <div className="grid gap-1 py-1.5 text-sm" role="status">
            <p>{made.text} Send it to them yourself: it is shown this once.</p>
            <CopiedCommand command={made.address} label="link" />
          </div>
        ) : null}
      </Section>

      <Section id="h-people" title="People" note="times in UTC">
        {people.length === 0 ? (
          <p className="py-2 text-sm text-ink-2">
            Nobody has an account yet. Make a link for an administrator first, and open it yourself.
          </p>
        ) : (
          <BlockTable region="People, scrolls sideways" label="People" heads={PEOPLE_HEADS}>
            {people.map((each) => (
              <BlockRow key={each.personId} className={each.disabledAt === null ? "" : "text-ink-2"}>
                <th role="rowheader" scope="row" className="[overflow-wrap:anywhere]">
                  <bdi>{each.name}</bdi>
                </th>
                <td role="cell" className="[overflow-wrap:anywhere]">
                  <bdi>{each.email}</bdi>
                </td>
                <td role="cell">
                  <select
                    aria-label={`Role of ${each.name}`}
                    value={each.role}
                    disabled={busy}
                    onChange={(event) => change(each, { role: roles.parse(event.target.value) })}
                    className={SELECT}
                  >
                    {roles.options.map((option) => (
                      <option key={option} value={option}>
                        {option}
                      </option>
                    ))}
                  </select>
                </td>
                <NamedCell name="since">{moment(each.createdAt)}</NamedCell>
                <td role="cell">
                  {each.signedInAt === null ? "nowhere" : `since ${moment(each.signedInAt)}`}
                </td>
                <td role="cell">{each.disabledAt === null ? "in" : `disabled ${moment(each.disabledAt)}`}</td>
                <td role="cell" className="num">
                  <span className="inline-flex gap-1.5">
                    <Button
                      aria-label={`New password for ${each.name}`}
                      disabled={busy}
                      onClick={() =>
                        invite({ personId: each.personId }, `Sets another password for ${each.name}.`)
                      }
                    >
                      New password
                    </Button>
                    <Button
                      tone="danger"
                      aria-label={`${each.disabledAt === null ? "Disable" : "Let in again"} ${each.name}`}
                      disabled={busy}
                      onClick={() => change(each, { disabled: each.disabledAt === null })}
                    >
                      {each.disabledAt === null ? "Disable" : "Let in again"}
                    </Button>
                  </span>
                </td>
              </BlockRow>
            ))}
          </BlockTable>
        )}
      </Section>

      <Section id="h-open" title="Links that were not used yet" note="times in UTC">
        {invitations.length === 0 ? (
          <p className="py-2 text-sm text-ink-2">
            None. A link that is made above stands here until it is used or ends.
          </p>
        ) : (
          <BlockTable region="Links, scrolls sideways" label="Links" heads={INVITATION_HEADS}>
            {invitations.map((each) => (
              <BlockRow key={each.invitationId}>
                <th role="rowheader" scope="row">
                  {each.person === null ? "a new account" : <bdi>another password of {each.person}</bdi>}
                </th>
                <td role="cell">{each.role}</td>
                <NamedCell name="by">
                  <bdi>{each.createdBy}</bdi>
                </NamedCell>
                <NamedCell name="made">{moment(each.createdAt)}</NamedCell>
                <NamedCell name="until">{moment(each.expiresAt)}</NamedCell>
                <td role="cell" className="num">
                  <Button
                    disabled={busy}
                    aria-label={`Take back link ${each.invitationId}`}
                    onClick={() =>
                      void attempt(async () => {
                        await send("DELETE", `/api/v1/invitations/${each.invitationId}`);
                        await readAgain();
                      })
                    }
                  >
                    Take back
                  </Button>
                </td>
              </BlockRow>
            ))}
          </BlockTable>
        )}
      </Section>
    </div>
  );
}
