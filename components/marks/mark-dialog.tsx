"use client";

import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Annotation, CreateAnnotation } from "#lib/contracts/annotation.ts";
import { formatEditable } from "#lib/charts/format-time.ts";
import { readTypedTime } from "#lib/charts/typed-time.ts";
import type { TypedTime } from "#lib/charts/typed-time.ts";
import { Button, Segments } from "../ui/button.tsx";

/** What the form was opened for: a moment to mark, or a mark to change. */
export type MarkTask =
  { readonly kind: "create"; readonly atMs: number } | { readonly kind: "edit"; readonly mark: Annotation };

type PersonKind = CreateAnnotation["kind"];
type ScopeChoice = "node" | "all" | "chosen";
type ControlsChoice = "auto" | "named" | "none";

/** What the form saves. `null` takes away what an edited mark had. */
export interface MarkValues {
  readonly at: number;
  readonly endsAt: number | null;
  readonly kind: PersonKind;
  readonly title: string;
  readonly text: string | null;
  readonly scope: CreateAnnotation["scope"];
  readonly controls: CreateAnnotation["controls"];
}

/** Why saving failed; `fields` by name of the contract. */
export interface SaveFailure {
  readonly message: string;
  readonly requestId: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
}

interface MarkDialogProps {
  readonly task: MarkTask;
  readonly node: { readonly nodeId: number; readonly name: string; readonly cluster: string };
  readonly zone: string;
  readonly nowMs: number;
  readonly onClose: () => void;
  /** Undefined when it was saved. */
  readonly onSave: (values: MarkValues) => Promise<SaveFailure | undefined>;
  readonly onDelete: (() => Promise<SaveFailure | undefined>) | undefined;
}

const KINDS: readonly { value: PersonKind; label: string }[] = [
  { value: "intervention", label: "intervention" },
  { value: "deploy", label: "deploy" },
  { value: "incident", label: "incident" },
  { value: "note", label: "note" },
];

const FIELD =
  "min-h-8 w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink aria-invalid:border-leaking md:min-h-7";

function scopeOf(mark: Annotation, nodeId: number): ScopeChoice {
  const { nodes, labels, cluster } = mark.scope;
  if (!nodes && !labels && !cluster) return "all";
  return nodes?.length === 1 && mark.nodeIds.length === 1 && mark.nodeIds[0] === nodeId ? "node" : "chosen";
}

function namesOf(scope: CreateAnnotation["scope"]): string {
  return (scope.nodes ?? []).map((each) => (typeof each === "number" ? `#${each}` : each.name)).join(", ");
}

function scopeFor(
  choice: ScopeChoice,
  names: string,
  node: MarkDialogProps["node"],
  edited: Annotation | undefined,
): CreateAnnotation["scope"] {
  if (choice === "all") return {};
  if (choice === "node") return { nodes: [node.nodeId] };
  // A scope by label or cluster has no field here: it stays as it was written.
  if (edited && !edited.scope.nodes && names.trim() === "") return edited.scope;
  return namedScope(names, node);
}

function namedScope(names: string, { cluster }: MarkDialogProps["node"]): CreateAnnotation["scope"] {
  return {
    nodes: names
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((name) => (/^#\d+$/.test(name) ? Number(name.slice(1)) : { cluster, name })),
  };
}

function controlsChoiceOf(edited: Annotation | undefined): ControlsChoice {
  const controls = edited?.controls ?? "auto";
  return typeof controls === "string" ? controls : "named";
}

/** What the choice of nodes to compare with means; a scope by label or cluster has no field here and stays as it was. */
function controlsFor(
  choice: ControlsChoice,
  names: string,
  node: MarkDialogProps["node"],
  edited: Annotation | undefined,
): CreateAnnotation["controls"] {
  if (choice !== "named") return choice;
  const before = edited?.controls;
  return typeof before === "object" && !before.nodes && names.trim() === ""
    ? before
    : namedScope(names, node);
}

/** How a typed time was read, or why not, below its field. */
function Reading({ id, read }: { readonly id: string; readonly read: TypedTime }) {
  return (
    <div id={id} aria-live="polite" className="col-start-2 grid text-ink-2">
      {read.kind === "unreadable" ? (
        <span className="text-leaking-ink">{read.message}</span>
      ) : (
        <>
          <span>{read.reading}</span>
          {read.notes.map((note) => (
            <span key={note} className="text-growing-ink">
              {note}
            </span>
          ))}
        </>
      )}
    </div>
  );
}

/** Nodes by one of a few rules, or by their names where the rule is `naming`. */
function NodeChoice<Rule extends string>({
  word,
  label,
  options,
  value,
  onChoose,
  naming,
  namesLabel,
  names,
  onNames,
}: {
  readonly word: string;
  readonly label: string;
  readonly options: readonly { readonly value: Rule; readonly label: string }[];
  readonly value: Rule;
  readonly onChoose: (value: Rule) => void;
  readonly naming: NoInfer<Rule>;
  readonly namesLabel: string;
  readonly names: string;
  readonly onNames: (names: string) => void;
}) {
  return (
    <>
      <span className="text-ink-2">{word}</span>
      <span>
        <Segments label={label} options={options} value={value} onChoose={onChoose} />
      </span>
      {value === naming ? (
        <input
          aria-label={namesLabel}
          value={names}
          onChange={(event) => onNames(event.target.value)}
          autoComplete="off"
          className={`${FIELD} col-start-2`}
        />
      ) : null}
    </>
  );
}

function Fault({ children }: { readonly children: ReactNode }) {
  return children ? <span className="col-start-2 text-leaking-ink">{children}</span> : null;
}

/** The form of a mark. Typed times show how they are read before anything is saved, and a failure loses nothing. */
export function MarkDialog({ task, node, zone, nowMs, onClose, onSave, onDelete }: MarkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const what = useRef<HTMLInputElement>(null);
  // Two submits in one tick both see the state of the last drawing; the ref is seen at once.
  const saving = useRef(false);
  const id = useId();
  const edited = task.kind === "edit" ? task.mark : undefined;
  const suffix = zone === "UTC" ? " UTC" : "";
  const [when, setWhen] = useState(
    formatEditable(edited?.at ?? (task.kind === "create" ? task.atMs : nowMs), zone) + suffix,
  );
  const [until, setUntil] = useState(
    edited?.endsAt == null ? "" : formatEditable(edited.endsAt, zone) + suffix,
  );
  const [kind, setKind] = useState<PersonKind>(
    KINDS.find((each) => each.value === edited?.kind)?.value ?? "intervention",
  );
  const [title, setTitle] = useState(edited?.title ?? "");
  const [text, setText] = useState(edited?.text ?? "");
  const [scope, setScope] = useState<ScopeChoice>(edited ? scopeOf(edited, node.nodeId) : "node");
  const [names, setNames] = useState(edited ? namesOf(edited.scope) : node.name);
  const [controls, setControls] = useState<ControlsChoice>(controlsChoiceOf(edited));
  const [others, setOthers] = useState(typeof edited?.controls === "object" ? namesOf(edited.controls) : "");
  const [failure, setFailure] = useState<SaveFailure>();
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
    what.current?.focus();
  }, []);

  const readWhen = readTypedTime(when, { zone, nowMs });
  const readUntil = until.trim() === "" ? undefined : readTypedTime(until, { zone, nowMs });
  const backward =
    readUntil?.kind === "read" && readWhen.kind === "read" && readUntil.atMs <= readWhen.atMs
      ? "The end lies before the beginning."
      : "";

  const isFollowed = kind === "intervention" || kind === "deploy";

  const finish = async (act: () => Promise<SaveFailure | undefined>) => {
    if (saving.current) return;
    saving.current = true;
    setBusy(true);
    try {
      const failed = await act();
      setFailure(failed);
      if (!failed) dialog.current?.close();
    } finally {
      saving.current = false;
      setBusy(false);
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setMissing(title.trim() === "");
    if (title.trim() === "" || readWhen.kind !== "read" || readUntil?.kind === "unreadable" || backward)
      return;
    const values: MarkValues = {
      at: readWhen.atMs,
      endsAt: readUntil?.atMs ?? null,
      kind,
      title: title.trim(),
      text: text.trim() === "" ? null : text,
      scope: scopeFor(scope, names, node, edited),
      controls: isFollowed ? controlsFor(controls, others, node, edited) : "auto",
    };
    void finish(() => onSave(values));
  };

  const fieldFault = (name: string) => {
    const found = [...(failure?.fields ?? [])].find(([path]) => path === name || path.startsWith(`${name}.`));
    return found?.[1];
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-head`}
      onClose={onClose}
      className="w-[30rem] max-w-[94vw] rounded-2 border border-line-3 bg-surface p-5 text-ink"
    >
      <h2 id={`${id}-head`} className="mb-3 text-lg font-semibold">
        {edited ? "Change the mark" : "Mark a moment"}
      </h2>
      <form
        onSubmit={save}
        noValidate
        className="grid grid-cols-[64px_minmax(0,1fr)] items-center gap-x-2.5 gap-y-1.5 text-sm"
      >
        <label htmlFor={`${id}-when`} className="text-ink-2">
          when
        </label>
        <input
          id={`${id}-when`}
          value={when}
          onChange={(event) => setWhen(event.target.value)}
          aria-invalid={readWhen.kind === "unreadable"}
          aria-describedby={`${id}-when-read`}
          autoComplete="off"
          className={FIELD}
        />
        <Reading id={`${id}-when-read`} read={readWhen} />
        <Fault>{fieldFault("at")}</Fault>

        <label htmlFor={`${id}-until`} className="text-ink-2">
          until
        </label>
        <input
          id={`${id}-until`}
          value={until}
          onChange={(event) => setUntil(event.target.value)}
          placeholder="only for a stretch of time"
          aria-invalid={readUntil?.kind === "unreadable" || backward !== ""}
          aria-describedby={`${id}-until-read`}
          autoComplete="off"
          className={`${FIELD} placeholder:text-ink-3`}
        />
        {readUntil ? <Reading id={`${id}-until-read`} read={readUntil} /> : null}
        <Fault>{backward || fieldFault("endsAt")}</Fault>

        <label htmlFor={`${id}-title`} className="text-ink-2">
          what
        </label>
        <input
          ref={what}
          id={`${id}-title`}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          maxLength={200}
          aria-invalid={missing && title.trim() === ""}
          autoComplete="off"
          className={FIELD}
        />
        <Fault>{missing && title.trim() === "" ? "Say what was done or seen." : fieldFault("title")}</Fault>

        <label htmlFor={`${id}-text`} className="self-start pt-1 text-ink-2">
          more
        </label>
        <textarea
          id={`${id}-text`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={10_000}
          rows={2}
          className={`${FIELD} py-1`}
        />
        <Fault>{fieldFault("text")}</Fault>

        <span className="text-ink-2">kind</span>
        <span>
          <Segments label="Kind of mark" options={KINDS} value={kind} onChoose={setKind} />
        </span>
        <NodeChoice
          word="where"
          label="Where it was done"
          options={[
            { value: "node", label: "this node" },
            { value: "all", label: "all nodes" },
            { value: "chosen", label: "chosen" },
          ]}
          value={scope}
          onChoose={setScope}
          naming="chosen"
          namesLabel={`Names of nodes of ${node.cluster}, with commas`}
          names={names}
          onNames={setNames}
        />
        <Fault>{fieldFault("scope")}</Fault>
        {isFollowed ? (
          <>
            <NodeChoice
              word="compare"
              label="Nodes to compare with"
              options={[
                { value: "auto", label: "others left alone" },
                { value: "named", label: "named" },
                { value: "none", label: "none" },
              ]}
              value={controls}
              onChoose={setControls}
              naming="named"
              namesLabel={`Names of nodes of ${node.cluster} that were left alone, with commas`}
              names={others}
              onNames={setOthers}
            />
            <Fault>{fieldFault("controls")}</Fault>
          </>
        ) : null}

        {failure ? (
          <div role="alert" className="col-start-2 text-leaking-ink">
            Not saved: {failure.message}
            {failure.requestId ? <span className="text-ink-3"> request {failure.requestId}</span> : null}
          </div>
        ) : null}
        <div className="col-start-2 mt-1 flex gap-2">
          <Button type="submit" tone="primary" disabled={busy}>
            {edited ? "Save" : "Mark"}
          </Button>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          {onDelete ? (
            <Button
              tone="danger"
              className="ml-auto"
              disabled={busy}
              onClick={() => (asked ? void finish(onDelete) : setAsked(true))}
            >
              {asked ? "Really delete it" : "Delete"}
            </Button>
          ) : null}
        </div>
      </form>
    </dialog>
  );
}
