"use client";

import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { shareLines } from "#lib/charts/share-model.ts";
import type { OpenShareList } from "#lib/contracts/share.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { send } from "../node/api-client.ts";
import { Fault } from "../ui/field.tsx";
import { Pager } from "../ui/pager.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { RevokeButton } from "./revoke-button.tsx";
import { ShareFacts } from "./share-facts.tsx";

/** All links that answer, each with what it is of, and the way to end it. */
export function SharesView({
  shares,
  total,
  page,
  pageSize,
  nowMs,
}: OpenShareList & { readonly page: number; readonly pageSize: number; readonly nowMs: number }) {
  const router = useRouter();
  const path = usePathname();
  const { fault, attempt } = useAttempt();
  const revoke = async (investigationId: number, shareId: number) => {
    await attempt(() => send("DELETE", `/api/v1/investigations/${investigationId}/shares/${shareId}`));
    router.refresh();
  };
  const lines = shareLines(shares, { zone: "UTC", nowMs });
  return (
    <>
      <p role="status" className="border-t border-line-2 py-2 text-sm text-ink-2">
        {formatCount(total, "link")}
      </p>
      <Fault text={fault} />
      {total === 0 ? (
        <StatePanel title="Nothing is shared">
          <p>A link is made on the page of an investigation, under Share.</p>
          <Link href="/investigations" className="text-accent-ink hover:underline">
            To the investigations
          </Link>
        </StatePanel>
      ) : (
        <ul aria-label="Links that answer, newest first" className="text-sm">
          {shares.map(({ shareId, investigation: { investigationId, title, deletedAt } }, index) => {
            const line = lines[index];
            return line === undefined ? null : (
              <li key={shareId} className="grid gap-1 border-t border-line py-2">
                <p className="[overflow-wrap:anywhere]">
                  {deletedAt === null ? (
                    <Link href={`/investigations/${investigationId}`} prefetch={false}>
                      {isolatedText(title)}
                    </Link>
                  ) : (
                    <>
                      {isolatedText(title)} <span className="text-leaking-ink">deleted</span>
                    </>
                  )}
                </p>
                <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <ShareFacts line={line} />
                  <span className="ml-auto">
                    <RevokeButton shareId={shareId} onRevoke={() => void revoke(investigationId, shareId)} />
                  </span>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      <Pager
        label="Pages of links"
        page={page}
        pages={Math.ceil(total / pageSize)}
        onPage={(next) => router.push(next > 1 ? `${path}?page=${next}` : path)}
      />
    </>
  );
}
