"use client";

import type { ReactNode } from "react";
import { dumpVerdictText, keyNumberText } from "#lib/charts/dump-model.ts";
import { formatKib, formatNumber } from "#lib/charts/format.ts";
import type { PasteReading } from "#lib/domain/diagnosis/read-paste.ts";
import { SmemTable } from "../node/smem-table.tsx";
import { UsedTable } from "../node/used-table.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { Verdict } from "../ui/verdict.tsx";
import { CompositionBar } from "./composition-bar.tsx";
import { FindingCard } from "./finding-card.tsx";
import { SampleChart } from "./sample-chart.tsx";

const MOST_POSSIBLE = 8;

/** What a text means: composition, suspects, findings, what to look at next, and the numbers that it rests on. */
export function ReadingView({
  reading,
  pin,
}: {
  readonly reading: PasteReading;
  /** What pins it. */
  readonly pin: ReactNode;
}) {
  const { explanation, smem, samples, oneMachine, printed } = reading;
  const { composition, usedMemory, holders, findings, possible, askNext, keyNumbers } = explanation;
  const { said, copy } = useCopy();
  const numbers = Object.entries(keyNumbers);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Section
        id="h-reading"
        title="Reading"
        note={<Verdict verdict={dumpVerdictText(explanation.verdict)} />}
        tools={
          <>
            <span role="status" className="text-ink-2">
              {said}
            </span>
            {pin}
            <Button onClick={() => void copy(printed)}>Copy as text</Button>
          </>
        }
      >
        {holders.length > 0 ? (
          <table className="grid-table" aria-label="What holds the memory">
            <thead>
              <tr>
                <th scope="col">{explanation.verdict === "not-a-leak" ? "holds memory" : "suspect"}</th>
                <th scope="col" className="num">
                  amount
                </th>
                <th scope="col">why</th>
              </tr>
            </thead>
            <tbody>
              {holders.map(({ name, kib, reason }, index) => (
                <tr key={name}>
                  <th
                    scope="row"
                    className={`[overflow-wrap:anywhere] ${index === 0 ? "!font-semibold" : ""}`}
                  >
                    {name}
                  </th>
                  <td className="num">{kib === undefined ? "" : formatKib(kib)}</td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className="text-sm text-ink-2">
            {explanation.verdict === "not-a-leak"
              ? "Nothing is out of the ordinary."
              : "Too little is known to name a suspect."}
          </p>
        )}
        {askNext === undefined ? null : (
          <div className="mt-3 max-w-[90ch]">
            <h3 className="text-sm font-semibold">Look at next</h3>
            <p>{askNext}</p>
          </div>
        )}
      </Section>

      {composition ? (
        <Section
          id="h-composition"
          title="Composition"
          note={`MemTotal ${formatNumber(composition.totalKib)} KiB, ${formatKib(composition.totalKib)}${samples.length > 1 ? (oneMachine ? "; newest sample" : "; last sample") : ""}`}
        >
          <CompositionBar composition={composition} />
        </Section>
      ) : null}

      {samples.length > 1 ? <SampleChart samples={samples} oneMachine={oneMachine} /> : null}

      {findings.length > 0 || possible.length > 0 ? (
        <Section
          id="h-findings"
          title="Known leaks"
          note={
            findings.length > 0
              ? "what fits, the best first; one dump can only make a leak suspected"
              : "none is shown; these are neither shown nor ruled out"
          }
        >
          {findings.map((finding) => (
            <FindingCard key={finding.signature} finding={finding} />
          ))}
          {possible.length > 0 ? (
            <details className="mt-2" open={findings.length === 0}>
              <summary className="cursor-pointer text-sm text-accent-ink">
                {findings.length === 0 ? "What would have to be known" : "Neither shown nor ruled out"}
              </summary>
              <ul className="grid gap-1 pt-2 text-sm">
                {possible.slice(0, MOST_POSSIBLE).map(({ signature, name, missing }) => (
                  <li key={signature}>
                    {signature} {name}: <span className="text-ink-2">{missing.slice(0, 3).join("; ")}</span>
                  </li>
                ))}
                {possible.length > MOST_POSSIBLE ? <li>and {possible.length - MOST_POSSIBLE} more</li> : null}
              </ul>
            </details>
          ) : null}
        </Section>
      ) : null}

      {usedMemory ? (
        <Section
          id="h-used"
          title="Who is right about used memory"
          note={`the kernel itself holds ${formatKib(usedMemory.kernelKib)}`}
        >
          <UsedTable used={usedMemory} label="What each tool calls used" />
        </Section>
      ) : null}

      {smem ? (
        <Section id="h-smem" title="smem -w" note="kB, made of /proc/meminfo">
          <SmemTable rows={smem} />
        </Section>
      ) : null}

      {numbers.length > 0 ? (
        <Section
          id="h-numbers"
          title="Numbers"
          note={`${formatNumber(numbers.length)}, as the text has them`}
        >
          <div className="max-h-80 overflow-auto" role="group" aria-label="Numbers" tabIndex={0}>
            <table className="grid-table">
              <tbody>
                {numbers.slice(0, 1000).map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row" className="[overflow-wrap:anywhere]">
                      <bdi>{name}</bdi>
                    </th>
                    <td className="num">{keyNumberText(name, value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Section>
      ) : null}
    </div>
  );
}
