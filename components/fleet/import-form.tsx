"use client";

import { useId, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { importFault, readImportDraft } from "#lib/charts/import-form.ts";
import type { ImportDraft, ImportField } from "#lib/charts/import-form.ts";
import type { TypedTime } from "#lib/charts/typed-time.ts";
import { historyImport } from "#lib/contracts/history-import.ts";
import { ApiProblem, sendForAnswer } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { TimeReading } from "../ui/time-reading.tsx";

const FIELD =
  "h-8 w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink placeholder:text-ink-3 aria-invalid:border-leaking md:h-7";

interface Refusal {
  readonly message: string;
  readonly requestId: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
  /** The draft as it was sent: a matcher is named by its place in it. */
  readonly sent: ImportDraft;
}

/** What to bring in, and from where. What is wrong is said beside its field, and nothing that was typed is lost. */
export function ImportForm({
  clusters,
  nowMs,
  onBegun,
}: {
  readonly clusters: readonly string[];
  readonly nowMs: number;
  readonly onBegun: () => Promise<void>;
}) {
  const id = useId();
  const [draft, setDraft] = useState<ImportDraft>({
    url: "",
    from: "now-30d",
    to: "now",
    cluster: clusters.find((each) => each !== "local") ?? "default",
    nodeLabel: "",
    match: "",
    stepSeconds: "",
    bearer: "",
  });
  const [refusal, setRefusal] = useState<Refusal>();
  const [begun, setBegun] = useState("");
  const [busy, setBusy] = useState(false);

  const read = readImportDraft(draft, nowMs);
  const begin = async () => {
    const fresh = readImportDraft(draft, Date.now());
    const isReadable = fresh.from.kind === "read" && fresh.to.kind === "read";
    if (!isReadable || Object.keys(fresh.faults).length > 0) return;
    setBusy(true);
    setBegun("");
    try {
      const { importId, url } = await sendForAnswer("POST", "/api/v1/imports", fresh.body, historyImport);
      setRefusal(undefined);
      setDraft((typed) => ({ ...typed, bearer: "" }));
      setBegun(`Import ${importId} from ${url} has begun. It goes on when this page is closed.`);
      await onBegun();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const { message, requestId, fields } = error;
      setRefusal({ message, requestId, fields, sent: draft });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void begin();
  };

  // The message repeats what every field says; what no field can show is in it alone.
  const isSaidAbove =
    refusal !== undefined &&
    refusal.fields.size > 0 &&
    [...refusal.fields.keys()].every((path) => (path.split(".")[0] ?? "") in draft);
  const field = (
    name: ImportField,
    label: string,
    more: { hint?: ReactNode; placeholder?: string; time?: TypedTime; type?: "password"; list?: string } = {},
  ) => {
    const { hint, time, ...rest } = more;
    const said = read.faults[name] ?? (refusal && importFault(name, refusal.fields, refusal.sent));
    return (
      <div className="grid content-start gap-0.5">
        <label htmlFor={`${id}-${name}`} className="text-ink-2">
          {label}
        </label>
        <input
          id={`${id}-${name}`}
          value={draft[name]}
          onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          aria-invalid={said !== undefined || time?.kind === "unreadable"}
          aria-describedby={`${id}-${name}-said`}
          autoComplete="off"
          spellCheck={false}
          className={FIELD}
          {...rest}
        />
        <div id={`${id}-${name}-said`} className="grid [overflow-wrap:anywhere]">
          {time ? <TimeReading id={`${id}-${name}-read`} read={time} /> : null}
          {said ? <span className="text-leaking-ink">{said}</span> : null}
          {hint ? <span className="text-ink-2">{hint}</span> : null}
        </div>
      </div>
    );
  };
  return (
    <form onSubmit={submit} noValidate className="grid grid-cols-[minmax(0,1fr)] gap-3 py-1.5 text-sm">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3 md:grid-cols-2 lg:grid-cols-4">
        {field("url", "address of the Prometheus", {
          placeholder: "http://prometheus:9090",
          hint: "Up to where /api/v1 begins. Thanos, Mimir and VictoriaMetrics answer too.",
        })}
        {field("from", "from", { time: read.from })}
        {field("to", "to", { time: read.to })}
        {field("cluster", "cluster of the nodes", { list: `${id}-clusters` })}
        {field("nodeLabel", "label that names the nodes (optional)", {
          placeholder: "node",
          hint: "Without one: node, else instance without its port.",
        })}
        {field("match", "only series that match (optional)", {
          placeholder: 'job="node", region=~"eu.*"',
          hint: "As in PromQL, with commas.",
        })}
        {field("stepSeconds", "one sample each (optional)", {
          placeholder: "1m",
          hint: "Without a step every sample, as it was scraped.",
        })}
        {field("bearer", "bearer token (optional)", {
          type: "password",
          hint: "Kept only while the import waits or runs, and never shown.",
        })}
        <datalist id={`${id}-clusters`}>
          {clusters.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
      {refusal ? (
        <p role="alert" className="text-leaking-ink">
          Not begun: {isSaidAbove ? "what is marked above is not understood." : refusal.message}
          {refusal.requestId ? <span className="text-ink-3"> request {refusal.requestId}</span> : null}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button type="submit" tone="primary" disabled={busy}>
          Import
        </Button>
        <span role="status" className="[overflow-wrap:anywhere] text-ink-2">
          {begun}
        </span>
      </div>
    </form>
  );
}
