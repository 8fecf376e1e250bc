"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { PASSWORD_LENGTH, passwordFault } from "#lib/contracts/password.ts";
import { send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { Fault, Field } from "../ui/field.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

/** Uses a one-time address: makes an account, or sets another password, and is signed in. */
export function InvitationForm({
  code,
  person,
}: {
  readonly code: string;
  /** Who gets another password; null for a new account. */
  readonly person: string | null;
}) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { busy, fault, fields, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const who = person === null ? { name, email } : {};
      await send("POST", "/api/v1/invitations/accept", { code, password, ...who });
      window.location.assign("/");
    });
  };
  const weak = password === "" ? undefined : passwordFault(password, [name, email]);
  return (
    <form onSubmit={submit} className="grid justify-items-start gap-3">
      {person === null ? (
        <>
          <Field
            label="Name"
            autoComplete="name"
            maxLength={80}
            hint="Stands beside what you write, and in the audit trail."
            fault={fields.get("name")}
            value={name}
            onText={setName}
          />
          <Field
            label="E-mail address"
            type="email"
            autoComplete="username"
            hint="You sign in with it; nothing is sent there."
            fault={fields.get("email")}
            value={email}
            onText={setEmail}
          />
        </>
      ) : null}
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={weak ?? `At least ${PASSWORD_LENGTH.least} characters; a few words make a good one.`}
        fault={fields.get("password")}
        value={password}
        onText={setPassword}
      />
      <Fault text={fields.size > 0 ? "" : fault} />
      <Button type="submit" tone="primary" disabled={busy}>
        {person === null ? "Make the account" : "Set the password"}
      </Button>
    </form>
  );
}
