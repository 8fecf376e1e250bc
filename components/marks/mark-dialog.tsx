"use client";

import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Annotation, AnnotationScope, CreateAnnotation } from "#lib/contracts/annotation.ts";
import { formatEditable } from "#lib/charts/format-time.ts";
import { readScope, readTags, scopeDraft, scopeText, tagsDraft, tagsFault } from "#lib/charts/mark-form.ts";
import type { MarkPlace, ReadScope, ScopeChoice, ScopeDraft } from "#lib/charts/mark-form.ts";
import { readTypedTime } from "#lib/charts/typed-time.ts";
import { Button, Segments } from "../ui/button.tsx";
import { TimeReading } from "../ui/time-reading.tsx";
import { MarkHistory } from "./mark-history.tsx";

/** What the form was opened for: a moment or a stretch of time to mark, or a mark to change. */
export type MarkTask =
  | { readonly kind: "create"; readonly atMs: number; readonly endsAtMs?: number }
  | { readonly kind: "edit"; readonly mark: Annotation };

type PersonKind = CreateAnnotation["kind"];
type ControlsChoice = "auto" | "none" | "named" | "labels" | "kept";

/** What the form saves. `null` takes away what an edited mark had; `undefined` was not touched. */
export interface MarkValues {
  readonly at: number;
  readonly endsAt: number | null;
  readonly kind: PersonKind;
  readonly title: string;
  readonly text: string | null;
  readonly tags: readonly string[] | undefined;
  readonly scope: CreateAnnotation["scope"] | undefined;
  readonly controls: CreateAnnotation["controls"] | undefined;
}

/** Why saving failed; `fields` by name of the contract. */
export interface SaveFailure {
  readonly message: string;
  readonly requestId: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
}

interface MarkDialogProps {
  readonly task: MarkTask;
  /** The node whose page this is. */
  readonly place: MarkPlace | undefined;
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

const SCOPE_LABELS: Readonly<Record<ScopeChoice, string>> = {
  node: "this node",
  all: "all nodes",
  named: "named",
  labels: "labels",
  cluster: "cluster",
  kept: "as written",
};

/** Nodes by one of a few rules, with the field of the rule that is chosen. */
function NodeChoice<Rule extends string>({
  word,
  label,
  options,
  value,
  draft,
  place,
  kept,
  onChoose,
  onDraft,
}: {
  readonly word: string;
  readonly label: string;
  readonly options: readonly { readonly value: Rule; readonly label: string }[];
  readonly value: Rule;
  readonly draft: ScopeDraft;
  readonly place: MarkPlace | undefined;
  /** The scope that stays as it was written. */
  readonly kept: AnnotationScope | undefined;
  readonly onChoose: (value: Rule) => void;
  readonly onDraft: (change: Partial<ScopeDraft>) => void;
}) {
  const fields = {
    named: {
      name: "names",
      label: place ? `names of nodes of ${place.cluster}, with commas` : "nodes as cluster/name, with commas",
      example: place ? "name, or cluster/name" : "cluster/name, cluster/name",
    },
    labels: {
      name: "labels",
      label: "labels that the nodes have now, with commas",
      example: "zone=a, role=worker",
    },
    cluster: { name: "cluster", label: "name of the cluster", example: "cluster" },
  } as const;
  const which: string = value;
  const field = which === "named" || which === "labels" || which === "cluster" ? fields[which] : undefined;
  return (
    <>
      <span className="self-start pt-1 text-ink-2">{word}</span>
      <span className="min-w-0">
        <Segments label={label} options={options} value={value} onChoose={onChoose} />
      </span>
      {field ? (
        <input
          aria-label={`${label}: ${field.label}`}
          value={draft[field.name]}
          onChange={(event) => onDraft({ [field.name]: event.target.value })}
          placeholder={field.example}
          autoComplete="off"
          className={`${FIELD} col-start-2 placeholder:text-ink-3`}
        />
      ) : null}
      {value === "kept" && kept ? (
        <span className="col-start-2 [overflow-wrap:anywhere] text-ink-2">{scopeText(kept)}</span>
      ) : null}
    </>
  );
}

function Fault({ children }: { readonly children: ReactNode }) {
  return children ? <span className="col-start-2 text-leaking-ink">{children}</span> : null;
}

/** How a scope of controls is said in the form; one that has no field there stays as it was written. */
function controlsChoice(choice: ScopeChoice): ControlsChoice {
  return choice === "named" || choice === "labels" ? choice : "kept";
}

/** The form of a mark. Typed times show how they are read before anything is saved, and a failure loses nothing. */
export function MarkDialog({ task, place, zone, nowMs, onClose, onSave, onDelete }: MarkDialogProps) {
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
  const firstEnd = task.kind === "create" ? task.endsAtMs : task.mark.endsAt;
  const [until, setUntil] = useState(firstEnd == null ? "" : formatEditable(firstEnd, zone) + suffix);
  const [kind, setKind] = useState<PersonKind>(
    KINDS.find((each) => each.value === edited?.kind)?.value ?? "intervention",
  );
  const [title, setTitle] = useState(edited?.title ?? "");
  const [text, setText] = useState(edited?.text ?? "");
  const editedTags = tagsDraft(edited?.tags ?? []);
  const [tags, setTags] = useState(editedTags ?? "");
  const [firstScope] = useState(() => scopeDraft(edited?.scope, place, edited?.nodeIds));
  const [scope, setScope] = useState(firstScope);
  const editedControls = typeof edited?.controls === "object" ? edited.controls : undefined;
  const [firstOthers] = useState(() => ({
    ...(editedControls ? scopeDraft(editedControls, undefined) : scopeDraft(undefined, undefined)),
    cluster: place?.cluster ?? "",
  }));
  const [others, setOthers] = useState(firstOthers);
  const [firstControls] = useState<ControlsChoice>(() =>
    editedControls ? controlsChoice(firstOthers.choice) : edited?.controls === "none" ? "none" : "auto",
  );
  const [controls, setControls] = useState<ControlsChoice>(firstControls);
  const [failure, setFailure] = useState<SaveFailure>();
  /** Faults of fields that are still empty are told once saving was tried. */
  const [tried, setTried] = useState(false);
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
  const read: ReadScope = readScope(scope, place, edited?.scope);
  const readOthers: ReadScope =
    controls === "auto" || controls === "none"
      ? { ok: true, scope: {} }
      : readScope({ ...others, choice: controls }, place, editedControls);
  const tagFault = tagsFault(tags);

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
    setTried(true);
    const isTimed = readWhen.kind === "read" && readUntil?.kind !== "unreadable" && !backward;
    if (title.trim() === "" || !isTimed || !read.ok || (isFollowed && !readOthers.ok) || tagFault) return;
    const isSameControls =
      edited && controls === firstControls && others === firstOthers && edited.kind === kind;
    const values: MarkValues = {
      at: readWhen.atMs,
      endsAt: readUntil?.atMs ?? null,
      kind,
      title: title.trim(),
      text: text.trim() === "" ? null : text,
      tags: editedTags === undefined && tags === "" ? undefined : readTags(tags),
      scope: edited && scope === firstScope ? undefined : read.scope,
      controls: isSameControls
        ? undefined
        : !isFollowed || controls === "auto"
          ? "auto"
          : controls === "none" || !readOthers.ok
            ? "none"
            : readOthers.scope,
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
      className="w-[34rem] max-w-[94vw] rounded-2 border border-line-3 bg-surface p-5 text-ink"
    >
      <h2 id={`${id}-head`} className="mb-3 text-lg font-semibold">
        {edited ? "Change the mark" : firstEnd == null ? "Mark a moment" : "Mark a stretch of time"}
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
        <TimeReading id={`${id}-when-read`} read={readWhen} className="col-start-2" />
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
        {readUntil ? <TimeReading id={`${id}-until-read`} read={readUntil} className="col-start-2" /> : null}
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
          aria-invalid={tried && title.trim() === ""}
          autoComplete="off"
          className={FIELD}
        />
        <Fault>{tried && title.trim() === "" ? "Say what was done or seen." : fieldFault("title")}</Fault>

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
        <label htmlFor={`${id}-tags`} className="text-ink-2">
          tags
        </label>
        <input
          id={`${id}-tags`}
          value={tags}
          onChange={(event) => setTags(event.target.value)}
          placeholder={editedTags === undefined ? "kept: one holds a comma" : "with commas"}
          aria-invalid={tagFault !== undefined}
          autoComplete="off"
          className={`${FIELD} placeholder:text-ink-3`}
        />
        <Fault>{tagFault ?? fieldFault("tags")}</Fault>
        <NodeChoice
          word="where"
          label="Where it was done"
          options={(["node", "all", "named", "labels", "cluster", "kept"] as const)
            .filter((each) => (each === "node" ? place : each === "kept" ? firstScope.choice === each : true))
            .map((value) => ({ value, label: SCOPE_LABELS[value] }))}
          value={scope.choice}
          draft={scope}
          place={place}
          kept={edited?.scope}
          onChoose={(choice) => setScope({ ...scope, choice })}
          onDraft={(change) => setScope({ ...scope, ...change })}
        />
        <Fault>{(tried && !read.ok ? read.message : undefined) ?? fieldFault("scope")}</Fault>
        {isFollowed ? (
          <>
            <NodeChoice
              word="compare"
              label="Nodes to compare with"
              options={(["auto", "named", "labels", "kept", "none"] as const)
                .filter((each) => each !== "kept" || firstControls === "kept")
                .map((value) => ({
                  value,
                  label:
                    value === "auto" ? "others left alone" : value === "none" ? "none" : SCOPE_LABELS[value],
                }))}
              value={controls}
              draft={others}
              place={place}
              kept={editedControls}
              onChoose={setControls}
              onDraft={(change) => setOthers({ ...others, ...change })}
            />
            <Fault>
              {(tried && !readOthers.ok ? readOthers.message : undefined) ?? fieldFault("controls")}
            </Fault>
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
      {edited ? <MarkHistory annotationId={edited.annotationId} zone={zone} nowMs={nowMs} /> : null}
    </dialog>
  );
}
