"use client";

import { useId, useState } from "react";
import type { FormEvent } from "react";
import { writeCompareForm } from "#lib/charts/compare-address.ts";
import type {
  CompareAlignment,
  CompareChoices,
  CompareForm,
  SideForm,
  WrittenForm,
} from "#lib/charts/compare-address.ts";
import { Button, Segments } from "../ui/button.tsx";
import { SideKey } from "./side-key.tsx";

const ALIGNMENTS: readonly { value: CompareAlignment; label: string }[] = [
  { value: "time", label: "Window" },
  { value: "boot", label: "Boot" },
  { value: "mark", label: "Mark" },
];

const FIELD =
  "h-8 w-full min-w-0 rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink aria-invalid:border-leaking md:h-7";

type Fault = Extract<WrittenForm, { ok: false }>;

/** Chooses both sides and their clock. Nothing is read before the button, so that typing does not move the page. */
export function CompareControls({
  initial,
  choices,
  zone,
  timezone,
  busy,
  onShow,
}: {
  readonly initial: CompareForm;
  readonly choices: CompareChoices;
  readonly zone: string;
  readonly timezone: string;
  readonly busy: boolean;
  readonly onShow: (path: string) => void;
}) {
  const id = useId();
  const [form, setForm] = useState(initial);
  const [fault, setFault] = useState<Fault>();
  const change = (next: Partial<CompareForm>) => {
    setForm({ ...form, ...next });
    setFault(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const written = writeCompareForm(form, choices, { zone, nowMs: Date.now(), timezone });
    if (written.ok) onShow(written.path);
    else setFault(written);
  };
  const field = (side: "a" | "b", name: keyof SideForm, label: string, list?: string) => {
    const wrong = fault?.field === `${side}.${name}`;
    return (
      <input
        aria-label={`${label} of side ${side.toUpperCase()}`}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-fault` : undefined}
        value={form[side][name]}
        list={list}
        autoComplete="off"
        spellCheck={false}
        placeholder={name === "who" ? "node, or attribute=value" : undefined}
        onChange={(event) => change({ [side]: { ...form[side], [name]: event.target.value } })}
        className={FIELD}
      />
    );
  };
  const columns =
    form.align === "time"
      ? "md:grid-cols-[auto_minmax(220px,2fr)_auto_minmax(130px,1fr)_auto_minmax(130px,1fr)]"
      : "md:grid-cols-[auto_minmax(220px,2fr)_auto_minmax(130px,1fr)]";
  return (
    <form
      onSubmit={submit}
      aria-label="What is compared"
      aria-busy={busy}
      className="grid gap-2 border-t border-line-2 py-2"
    >
      <datalist id={`${id}-choices`}>
        {choices.nodes.map(({ nodeId, name }) => (
          <option key={nodeId} value={name} />
        ))}
        {choices.cohorts.map(({ term, nodes }) => (
          <option key={term} value={term}>
            {nodes} nodes
          </option>
        ))}
      </datalist>
      {(["a", "b"] as const).map((side) => (
        <div
          key={side}
          role="group"
          aria-label={`Side ${side.toUpperCase()}`}
          className={`grid max-w-[1080px] grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 gap-y-1 text-sm text-ink-2 ${columns}`}
        >
          <span className="inline-flex items-center gap-1.5 font-semibold text-ink">
            <SideKey side={side} /> {side.toUpperCase()}
          </span>
          {field(side, "who", "Nodes or cohort", `${id}-choices`)}
          {form.align === "time" ? (
            <>
              <span>from</span>
              {field(side, "from", "Start")}
              <span>to</span>
              {field(side, "to", "End")}
            </>
          ) : null}
          {form.align === "boot" ? (
            <>
              <span>boot before</span>
              {field(side, "to", "Latest start of the boot")}
            </>
          ) : null}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-2">
        <span className="inline-flex items-center gap-2">
          clock begins with the
          <Segments
            label="Clock begins with"
            options={ALIGNMENTS}
            value={form.align}
            onChoose={(align) => change({ align })}
          />
        </span>
        {form.align === "mark" ? (
          <select
            aria-label="Mark"
            value={form.mark}
            aria-invalid={fault?.field === "mark" || undefined}
            onChange={(event) => change({ mark: event.target.value })}
            className="h-8 max-w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink md:h-7 md:max-w-[420px]"
          >
            <option value="">choose a mark</option>
            {choices.marks.map(({ annotationId, label }) => (
              <option key={annotationId} value={String(annotationId)}>
                {label}
              </option>
            ))}
          </select>
        ) : null}
        <Button type="submit" tone="primary">
          Compare
        </Button>
        <span role="alert" id={`${id}-fault`} className="text-leaking-ink">
          {fault?.message}
        </span>
      </div>
    </form>
  );
}
