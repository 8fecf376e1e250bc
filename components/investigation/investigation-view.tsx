"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import {
  hypothesesText,
  investigationFacts,
  pinTitle,
  STATUS_TEXTS,
} from "#lib/charts/investigation-model.ts";
import { placedPins } from "#lib/charts/markdown.ts";
import { mayBecome } from "#lib/domain/investigation/status.ts";
import { investigation as contract, investigationStatus } from "#lib/contracts/investigation.ts";
import type { Entry, Investigation, Pin } from "#lib/contracts/investigation.ts";
import type { Share } from "#lib/contracts/share.ts";
import { ForRole } from "../account/access.tsx";
import { send } from "../node/api-client.ts";
import { SharePanel } from "../share/share-panel.tsx";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { InnerLinksContext } from "../ui/inner-link.tsx";
import { Section } from "../ui/section.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { Verdict } from "../ui/verdict.tsx";
import { ChangeList } from "./change-list.tsx";
import { DeleteInvestigation } from "./delete-investigation.tsx";
import { EditableText } from "./editable-text.tsx";
import type { PlaceableMark } from "./editable-text.tsx";
import { ExportLinks } from "./export-links.tsx";
import { FiguresContext } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { HeadFacts } from "./head-facts.tsx";
import { HypothesisList } from "./hypothesis-list.tsx";
import { LogList } from "./log-list.tsx";
import { PinFigure } from "./pin-figure.tsx";
import { createSaver } from "./saver.ts";
import { TitleField } from "./title-field.tsx";

const ZONE = "UTC";

/** An investigation as a document: what is known, what is held possible, what was pinned, what happened. Edited where it stands. */
export function InvestigationView({
  investigation: read,
  entries,
  entryTotal,
  names,
  marks,
  readings,
  effects,
  shares,
  imported,
  readAtMs,
}: {
  readonly investigation: Investigation;
  readonly entries: readonly Entry[];
  readonly entryTotal: number;
  /** Of nodes, by id. */
  readonly names: Readonly<Record<number, string>>;
  readonly marks: readonly PlaceableMark[];
  readonly readings: Figures["readings"];
  readonly effects: Figures["effects"];
  /** Links to it; undefined for somebody who may make none. */
  readonly shares: readonly Share[] | undefined;
  /** Where it came from; undefined where it was opened here. */
  readonly imported: { readonly text: string; readonly contentHash: string } | undefined;
  readonly readAtMs: number;
}) {
  const router = useRouter();
  const path = `/api/v1/investigations/${read.investigationId}`;
  const [saver] = useState(() => createSaver(read, path, contract));
  useEffect(() => saver.see(read), [saver, read]);
  const shown = useSyncExternalStore(saver.subscribe, saver.get, saver.get);
  const { fault, attempt } = useAttempt();
  const figures = useMemo(() => ({ pins: read.pins, readings, effects }), [read.pins, readings, effects]);
  const facts = investigationFacts(shown, (nodeId) => names[nodeId], { zone: ZONE, nowMs: readAtMs });
  const placed = placedPins(`${shown.conclusion}\n\n${shown.text}`);
  const others = read.pins.filter(({ number }) => !placed.has(number));
  const refresh = useCallback(() => router.refresh(), [router]);
  const act = async (work: () => Promise<void>) => {
    await attempt(work);
    refresh();
  };
  const counts = { open: 0, supported: 0, refuted: 0 };
  for (const { state } of read.hypotheses) counts[state] += 1;
  const text = { saver, marks, onSaved: refresh };
  return (
    <ViewFrame figures={figures} leadsInside={imported === undefined}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-ink-2">
          <span>
            <Link href="/investigations">Investigations</Link> /{" "}
            <b className="text-ink">{read.investigationId}</b>
          </span>
          <span className="inline-flex items-center gap-2">
            <Verdict verdict={STATUS_TEXTS[shown.status]} />
            <ForRole least="investigator">
              <Choice
                label="Status"
                value={shown.status}
                options={investigationStatus.options
                  .filter((each) => mayBecome(shown.status, each))
                  .map((each) => [each, STATUS_TEXTS[each].word])}
                onChoose={(chosen) =>
                  void act(() =>
                    saver.save({ status: investigationStatus.options.find((each) => each === chosen) }),
                  )
                }
              />
            </ForRole>
          </span>
          <HeadFacts facts={facts} />
        </div>
        {imported ? (
          <p className="text-sm [overflow-wrap:anywhere] text-ink-2">
            {imported.text} <span>SHA-256 of the content</span> <code>{imported.contentHash}</code>
          </p>
        ) : null}
        {fault ? (
          <p role="alert" className="text-sm text-leaking-ink">
            Not saved: {fault}
          </p>
        ) : null}
        <TitleField saver={saver} draftKey={`${path}/title`} />
        <section aria-label="Conclusion" className="max-w-[118ch]">
          <EditableText
            {...text}
            label="the conclusion"
            field="conclusion"
            draftKey={`${path}/conclusion`}
            empty="What is known so far, and in the end what was found, in a few sentences."
            rows={5}
          />
        </section>
      </div>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_372px]">
        <div className="grid min-w-0 content-start gap-6">
          <Section id="h-hypotheses" title="Hypotheses" note={hypothesesText(counts)}>
            <HypothesisList
              path={path}
              hypotheses={read.hypotheses}
              marks={marks}
              pins={read.pins.map((pin) => ({ number: pin.number, title: pinTitle(pin) }))}
              onChanged={refresh}
            />
          </Section>
          <Section id="h-document" title="Document">
            <EditableText
              {...text}
              label="the document"
              field="text"
              draftKey={`${path}/text`}
              empty="What was seen, what was tried, what remains. Place pinned views and figures where they belong."
              rows={18}
            />
          </Section>
          <Section
            id="h-pins"
            title="Pinned views"
            note={others.length < read.pins.length ? "those that the texts do not place" : undefined}
          >
            <Pins pins={others} all={read.pins.length} path={path} onAct={act} />
          </Section>
        </div>
        <aside aria-label="Log and history" className="min-w-0">
          <LogList path={path} entries={entries} total={entryTotal} zone={ZONE} onChanged={refresh} />
        </aside>
      </div>
      <div className="mt-6">
        <ExportLinks path={path} />
      </div>
      {shares === undefined ? null : (
        <div className="mt-6">
          <SharePanel
            path={path}
            page={`/investigations/${read.investigationId}`}
            shares={shares}
            zone={ZONE}
            nowMs={readAtMs}
          />
        </div>
      )}
      <ChangeList path={path} version={shown.version} zone={ZONE} nowMs={readAtMs} />
      {shares === undefined ? null : <DeleteInvestigation path={path} />}
    </ViewFrame>
  );
}

/** Figures for the texts; what came from a file leads to pages of another Plumbline, which are none here. */
function ViewFrame({
  figures,
  leadsInside,
  children,
}: {
  readonly figures: Figures;
  readonly leadsInside: boolean;
  readonly children: ReactNode;
}) {
  return (
    <InnerLinksContext value={leadsInside}>
      <FiguresContext value={figures}>{children}</FiguresContext>
    </InnerLinksContext>
  );
}

function Pins({
  pins,
  all,
  path,
  onAct,
}: {
  readonly pins: readonly Pin[];
  readonly all: number;
  readonly path: string;
  readonly onAct: (work: () => Promise<void>) => Promise<void>;
}) {
  const [asked, setAsked] = useState<number>();
  if (all === 0)
    return (
      <p className="py-1 text-sm text-ink-2">
        Nothing is pinned yet.{" "}
        <ForRole least="investigator">
          On the page of a node, a comparison, the experiments, cohorts or the fleet, press <kbd>i</kbd>: the
          view goes here with its window and marks.
        </ForRole>
      </p>
    );
  if (pins.length === 0) return <p className="py-1 text-sm text-ink-2">All of them stand in the texts.</p>;
  return (
    <div className="grid gap-4 pt-1">
      {pins.map((pin) => (
        <PinFigure
          key={pin.number}
          pin={pin}
          tools={
            <ForRole least="investigator">
              <Button
                className="!h-6"
                onClick={() =>
                  asked === pin.number
                    ? void onAct(() => send("DELETE", `${path}/pins/${pin.number}`))
                    : setAsked(pin.number)
                }
              >
                {asked === pin.number ? "Really take away" : "Take away"}
                <span className="sr-only"> pin {pin.number}</span>
              </Button>
            </ForRole>
          }
        />
      ))}
    </div>
  );
}
