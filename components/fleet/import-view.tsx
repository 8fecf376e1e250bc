"use client";

import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { importItem } from "#lib/charts/import-model.ts";
import { importList } from "#lib/contracts/history-import.ts";
import type { ImportList } from "#lib/contracts/history-import.ts";
import { getJson } from "../node/api-client.ts";
import { Section } from "../ui/section.tsx";
import { StatePanel } from "../ui/state-panel.tsx";
import { ImportForm } from "./import-form.tsx";
import { ImportRow } from "./import-row.tsx";

const LIVE_EVERY_MS = 2000;
/** The command line may begin one too. */
const IDLE_EVERY_MS = 10_000;

/** What history from a Prometheus has, and what it cannot have. */
function WhatComes({ rawDays }: { readonly rawDays: number }) {
  return (
    <ul className="grid max-w-[110ch] list-disc gap-1 pl-4 text-sm text-ink-2">
      <li>
        Each scrape of node_exporter becomes a snapshot; what is older than {rawDays} days comes in as
        roll-ups, as with all history. What is stored already is not stored twice.
      </li>
      <li>
        Not in it: the per-CPU free lists, which node_exporter does not export. They stay inside{" "}
        <i>unaccounted</i>.
      </li>
      <li>
        Slab caches only where node_exporter ran with <code>--collector.slabinfo</code>; containers started
        only where kubelet, containerd or CRI-O are scraped; dying cgroups never.
      </li>
      <li>
        The nodes are tagged <i>Prometheus</i> until a collector of their own reports. From then on an import
        leaves them out.
      </li>
    </ul>
  );
}

/** The form that begins an import, and the list that follows them all. */
export function ImportView({
  list: listAtFirst,
  clusters,
  rawDays,
  readAtMs,
}: {
  readonly list: ImportList;
  readonly clusters: readonly string[];
  readonly rawDays: number;
  readonly readAtMs: number;
}) {
  const [list, setList] = useState(listAtFirst);
  const [nowMs, setNowMs] = useState(readAtMs);
  const [fault, setFault] = useState("");
  // An answer that comes after that of a later question is older than what is shown.
  const newest = useRef(0);

  const read = async (signal: AbortSignal) => {
    const question = ++newest.current;
    try {
      const answer = await getJson("/api/v1/imports", importList, signal);
      if (question !== newest.current) return;
      setList(answer);
      setNowMs(Date.now());
      setFault("");
    } catch (error) {
      if (!signal.aborted) setFault(error instanceof Error ? error.message : "The server did not answer.");
    }
  };
  const items = list.imports.map((each) => importItem(each, list.nodes, nowMs));
  const everyMs = items.some(({ isLive }) => isLive) ? LIVE_EVERY_MS : IDLE_EVERY_MS;
  useEffect(() => {
    const mine = new AbortController();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void read(mine.signal);
    }, everyMs);
    return () => {
      clearInterval(timer);
      mine.abort();
    };
  }, [everyMs]);
  const readAgain = () => read(new AbortController().signal);

  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <h1 className="text-xl font-semibold">Import history from Prometheus</h1>
        <p className="max-w-[110ch] text-ink-2">
          A Prometheus that scrapes node_exporter knows what happened before Plumbline was there. The server
          asks it, so it must be reachable from the server, not from this browser. For what is to come there
          is{" "}
          <Link href="/add-nodes" prefetch={false} className="underline">
            a collector or remote write
          </Link>
          .
        </p>
      </div>

      <Section id="h-new" title="New import" note="times in UTC unless a zone is named">
        <ImportForm clusters={clusters} nowMs={nowMs} onBegun={readAgain} />
      </Section>

      <div className="mt-6">
        <Section
          id="h-imports"
          title="Imports"
          note={items.length > 0 ? "newest first; times in UTC" : undefined}
        >
          {fault ? (
            <p role="alert" className="text-sm text-growing-ink">
              {fault}
            </p>
          ) : null}
          <p role="status" className="sr-only">
            {items
              .slice(0, 3)
              .map(({ importId, standing }) => `import ${importId} ${standing.word}`)
              .join(", ")}
          </p>
          {items.length === 0 ? (
            <StatePanel title="Nothing has been imported yet" heading="h3">
              <WhatComes rawDays={rawDays} />
            </StatePanel>
          ) : (
            <>
              <ul aria-label="Imports">
                {items.map((item) => (
                  <ImportRow key={item.importId} item={item} onChanged={readAgain} />
                ))}
              </ul>
              <details className="border-t border-line pt-2 text-sm">
                <summary className="cursor-pointer text-ink-2">
                  What imported history has, and what not
                </summary>
                <div className="pt-2">
                  <WhatComes rawDays={rawDays} />
                </div>
              </details>
            </>
          )}
        </Section>
      </div>
    </>
  );
}
