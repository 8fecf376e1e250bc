"use client";

import { useEffect, useState } from "react";
import type { FormEvent } from "react";
import { STATE_TEXTS } from "#lib/charts/investigation-model.ts";
import { referencesOf, referenceText } from "#lib/charts/markdown.ts";
import { hypothesis as hypothesisContract, hypothesisState } from "#lib/contracts/investigation.ts";
import type { Evidence, Hypothesis } from "#lib/contracts/investigation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { ForRole, useMayWrite } from "../account/access.tsx";
import { send } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import type { Options } from "../ui/choice.tsx";
import { Choice } from "../ui/choice.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { useAttempt } from "../ui/use-attempt.ts";
import { Verdict } from "../ui/verdict.tsx";
import { DraftNote } from "./draft-note.tsx";
import { EditableText } from "./editable-text.tsx";
import type { PlaceableMark } from "./editable-text.tsx";
import { Reference } from "./markdown.tsx";
import { createSaver } from "./saver.ts";
import { useDraft } from "./use-draft.ts";

const STATES: Options = hypothesisState.options.map((each) => [each, STATE_TEXTS[each].word]);

/** What is held possible, with its state and what speaks for it. */
export function HypothesisList({
  path,
  hypotheses,
  marks,
  pins,
  onChanged,
}: {
  /** Of the investigation, in the API. */
  readonly path: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly marks: readonly PlaceableMark[];
  readonly pins: readonly { readonly number: number; readonly title: string }[];
  readonly onChanged: () => void;
}) {
  const { value, restored, type, sent } = useDraft(`${path}/hypotheses`, (text) =>
    hypotheses.some((each) => each.text === text.trim()),
  );
  const { busy, fault, attempt } = useAttempt();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() === "" || busy) return;
    await attempt(async () => {
      await send("POST", `${path}/hypotheses`, { text: value });
      sent(value);
      onChanged();
    });
  };
  return (
    <>
      {hypotheses.length === 0 ? (
        <p className="py-1 text-sm text-ink-2">
          Nothing is held possible yet.{" "}
          <ForRole least="investigator">Write down a cause, then what speaks for or against it.</ForRole>
        </p>
      ) : (
        <ol aria-label="Hypotheses">
          {hypotheses.map((each, index) => (
            <Row
              key={each.hypothesisId}
              number={index + 1}
              hypothesis={each}
              path={`${path}/hypotheses/${each.hypothesisId}`}
              marks={marks}
              pins={pins}
              onChanged={onChanged}
            />
          ))}
        </ol>
      )}
      <ForRole least="investigator">
        <form
          onSubmit={(event) => void add(event)}
          className="flex flex-wrap gap-2 border-t border-line pt-2"
        >
          <input
            aria-label="A new hypothesis"
            value={value}
            onChange={(event) => type(event.target.value)}
            placeholder="A cause that is possible"
            autoComplete="off"
            className={`${FIELD_CLASS} min-w-0 flex-1 placeholder:text-ink-3`}
          />
          <Button type="submit">Add</Button>
          <DraftNote restored={restored} />
        </form>
      </ForRole>
      {fault ? (
        <p role="alert" className="text-sm text-leaking-ink">
          Not added: {fault} This browser keeps the text.
        </p>
      ) : null}
    </>
  );
}

function Row({
  number,
  hypothesis,
  path,
  marks,
  pins,
  onChanged,
}: {
  readonly number: number;
  readonly hypothesis: Hypothesis;
  readonly path: string;
  readonly marks: readonly PlaceableMark[];
  readonly pins: readonly { readonly number: number; readonly title: string }[];
  readonly onChanged: () => void;
}) {
  const [saver] = useState(() => createSaver(hypothesis, path, hypothesisContract));
  const { fault, attempt } = useAttempt();
  const [asked, setAsked] = useState(false);
  useEffect(() => saver.see(hypothesis), [saver, hypothesis]);
  const mayWrite = useMayWrite();
  const { state, evidence } = hypothesis;
  const act = async (work: () => Promise<void>) => {
    await attempt(work);
    onChanged();
  };
  const change = (changes: object) => void act(() => saver.save(changes));
  const addEvidence = (reference: string) => {
    const [to] = referencesOf(reference);
    if (to === undefined) return;
    const { nodeId } = to.kind === "effect" ? to : { nodeId: undefined };
    const next: Evidence =
      to.kind === "pin"
        ? to
        : { kind: "effect", annotationId: to.annotationId, ...(nodeId !== undefined && { nodeId }) };
    change({ evidence: [...evidence, next] });
  };
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line py-2 md:grid-cols-[120px_minmax(0,1fr)_minmax(0,1fr)]">
      <div className="grid content-start justify-items-start gap-1 text-sm">
        <Verdict verdict={STATE_TEXTS[state]} />
        <ForRole least="investigator">
          <Choice
            label={`State of hypothesis ${number}`}
            value={state}
            options={STATES}
            onChoose={(chosen) => change({ state: hypothesisState.options.find((each) => each === chosen) })}
          />
        </ForRole>
      </div>
      <div className="flex min-w-0 gap-2">
        <b className="font-semibold">{number}</b>
        <div className="min-w-0 flex-1">
          <EditableText
            label={`hypothesis ${number}`}
            saver={saver}
            field="text"
            draftKey={path}
            empty=""
            marks={marks}
            rows={4}
            onSaved={onChanged}
          />
          <ForRole least="investigator">
            <button
              type="button"
              className="min-h-6 text-sm text-ink-2 hover:underline"
              onClick={() => (asked ? void act(() => send("DELETE", path)) : setAsked(true))}
            >
              {asked ? "Really take it away" : "Take away"}
              <span className="sr-only"> hypothesis {number}</span>
            </button>
          </ForRole>
        </div>
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-1 text-sm">
        <ul aria-label={`Evidence of hypothesis ${number}`} className="grid gap-0.5 [overflow-wrap:anywhere]">
          {evidence.map((each, index) => (
            <li key={index} className="flex flex-wrap items-baseline gap-x-2">
              {each.kind === "finding" ? (
                <span>finding {isolatedText(each.signature)}</span>
              ) : (
                <Reference to={each.kind === "pin" ? each : { ...each, nodeId: each.nodeId }} titled />
              )}
              <ForRole least="investigator">
                <button
                  type="button"
                  aria-label={`Remove evidence ${index + 1} of hypothesis ${number}`}
                  className="min-h-6 min-w-6 text-ink-3 hover:text-ink"
                  onClick={() => change({ evidence: evidence.toSpliced(index, 1) })}
                >
                  {"\u00d7"}
                </button>
              </ForRole>
            </li>
          ))}
        </ul>
        {!mayWrite || pins.length + marks.length === 0 ? null : (
          <select
            aria-label={`Add evidence to hypothesis ${number}`}
            value=""
            onChange={({ target }) => addEvidence(target.value)}
            className={`${FIELD_CLASS} max-w-full justify-self-start`}
          >
            <option value="">Add evidence</option>
            {pins.map((pin) => (
              <option key={pin.number} value={referenceText({ kind: "pin", number: pin.number })}>
                {`pin ${pin.number}: ${pin.title}`}
              </option>
            ))}
            {marks.map(({ annotationId, title }) => (
              <option
                key={annotationId}
                value={referenceText({ kind: "effect", annotationId, nodeId: undefined })}
              >
                {`effect of ${isolatedText(title)}`}
              </option>
            ))}
          </select>
        )}
        {fault ? (
          <p role="alert" className="text-leaking-ink">
            Not saved: {fault}
          </p>
        ) : null}
      </div>
    </li>
  );
}
