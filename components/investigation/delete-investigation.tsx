"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { shareList } from "#lib/contracts/share.ts";
import type { Share } from "#lib/contracts/share.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { getJson, send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/field.tsx";
import { useAttempt } from "../ui/use-attempt.ts";

/** Takes an investigation away, after saying what becomes of its links. */
export function DeleteInvestigation({
  path,
}: {
  /** Of the investigation, in the API. */
  readonly path: string;
}) {
  const router = useRouter();
  const [shares, setShares] = useState<readonly Share[]>();
  const [revokes, setRevokes] = useState(false);
  const { busy, fault, attempt } = useAttempt();
  const ask = () =>
    attempt(async () => {
      // Somebody else may have made links since the page was read.
      setShares((await getJson(`${path}/shares`, shareList, AbortSignal.timeout(10_000))).shares);
    });
  const open = (kind: Share["kind"]) =>
    shares?.filter((each) => each.kind === kind && each.state === "open").length ?? 0;
  const [live, frozen] = [open("live"), open("frozen")];
  const remove = () =>
    attempt(async () => {
      await send("DELETE", `${path}?revokeLinks=${revokes ? 1 : 0}`);
      router.push("/investigations");
      router.refresh();
    });
  if (shares === undefined)
    return (
      <div className="mt-6 grid justify-items-start gap-2 border-t border-line-2 pt-3">
        <Button disabled={busy} onClick={() => void ask()}>
          Delete this investigation
        </Button>
        <Fault text={fault} />
      </div>
    );
  return (
    <section
      aria-label="Delete this investigation"
      className="mt-6 grid justify-items-start gap-2 border-l-2 border-leaking bg-surface-2 px-3 py-2 text-sm"
    >
      <p>
        It goes from all lists; its history and the audit trail keep it.
        {live === 0 ? "" : ` ${formatCount(live, "live link")} to it ${live === 1 ? "ends" : "end"} with it.`}
        {frozen === 0
          ? ""
          : ` ${formatCount(frozen, "frozen link")} ${frozen === 1 ? "goes" : "go"} on answering with the copy: whoever has the address reads it.`}
      </p>
      {frozen === 0 ? null : (
        <label className="inline-flex items-center gap-1.5">
          <input type="checkbox" checked={revokes} onChange={({ target }) => setRevokes(target.checked)} />
          Revoke the frozen {frozen === 1 ? "link" : "links"} too
        </label>
      )}
      <Fault text={fault} />
      <span className="flex gap-2">
        <Button tone="danger" disabled={busy} onClick={() => void remove()}>
          Delete
        </Button>
        <Button onClick={() => setShares(undefined)}>Keep it</Button>
      </span>
    </section>
  );
}
