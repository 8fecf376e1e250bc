"use client";

import { useRouter } from "next/navigation";
import type { ChangeEvent } from "react";
import { investigation } from "#lib/contracts/investigation.ts";
import { postText } from "../node/api-client.ts";
import { useAttempt } from "../ui/use-attempt.ts";

/** Takes in the file of an investigation that another Plumbline wrote down. */
export function ImportButton() {
  const router = useRouter();
  const { busy, fault, attempt } = useAttempt();
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file === undefined) return;
    await attempt(async () => {
      const text = await file.text();
      const made = await postText("/api/v1/investigations/import", "application/json", text, investigation);
      router.push(`/investigations/${made.investigationId}`);
    });
    // The same file can be chosen again once it was mended.
    target.value = "";
  };
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-3 text-sm text-ink-2">
      <label className="inline-flex flex-wrap items-center gap-2">
        Import a JSON export
        <input
          type="file"
          accept=".json,application/json"
          disabled={busy}
          onChange={(event) => void take(event)}
          className="max-w-full text-sm file:mr-2 file:h-7 file:cursor-pointer file:rounded-2 file:border file:border-solid file:border-line-2 file:bg-surface file:px-2.5 file:text-ink"
        />
      </label>
      <span role="status">{busy ? "Reading\u2026" : ""}</span>
      {fault ? (
        <span role="alert" className="text-leaking-ink">
          Not imported: {fault}
        </span>
      ) : null}
    </p>
  );
}
