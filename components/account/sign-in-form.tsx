"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { Fault, Field } from "../ui/field.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

/** Signs in, and goes on to `next`. */
export function SignInForm({ next }: { readonly next: string }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { busy, fault, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await send("POST", "/api/v1/session", { email, password });
      // A whole new page: nothing of what a stranger saw is kept.
      window.location.assign(next);
    });
  };
  return (
    <form onSubmit={submit} className="grid justify-items-start gap-3">
      <Field label="E-mail address" type="email" autoComplete="username" value={email} onText={setEmail} />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        maxLength={256}
        value={password}
        onText={setPassword}
      />
      <Fault text={fault} />
      <Button type="submit" tone="primary" disabled={busy}>
        Sign in
      </Button>
      <p className="max-w-[60ch] text-sm text-ink-2">
        Forgotten? An administrator can make you a link for another password.
      </p>
    </form>
  );
}
