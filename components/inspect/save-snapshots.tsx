"use client";

import { useState } from "react";
import type { FormEvent } from "react";
import { ingestReceipt } from "#lib/contracts/ingest.ts";
import type { WholeSnapshots } from "#lib/domain/diagnosis/read-paste.ts";
import { ApiProblem, postText } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { CopiedCommand } from "../ui/copied-command.tsx";
import { Field } from "../ui/field.tsx";
import { Section } from "../ui/section.tsx";

const COMMAND =
  "tail -n +1 /proc/meminfo /proc/uptime /proc/stat /proc/sys/kernel/random/boot_id /proc/sys/kernel/osrelease /proc/zoneinfo /proc/vmstat /proc/self/smaps /proc/slabinfo /proc/cgroups 2>&1";

/** Keeps a text that is a whole snapshot as one of a node: the only thing on this page that sends anything, and only when asked. */
export function SaveSnapshots({
  snapshots,
  text,
}: {
  readonly snapshots: WholeSnapshots;
  readonly text: () => Promise<string>;
}) {
  const [node, setNode] = useState("");
  const [cluster, setCluster] = useState("default");
  const [at, setAt] = useState("");
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly ok: boolean; readonly text: string }>();
  if (snapshots.fault !== undefined) {
    return (
      <Section id="h-save" title="Keep it as a node's snapshot">
        <p className="max-w-[90ch] text-sm text-ink-2">
          Not possible with this text: {snapshots.fault}. A whole snapshot is what this prints:
        </p>
        <CopiedCommand command={COMMAND} label="what prints a whole snapshot" />
      </Section>
    );
  }
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setSaid(undefined);
    try {
      const query = new URLSearchParams({ node, cluster, ...(snapshots.timed ? {} : { at }) });
      const { accepted, duplicates, rejected } = await postText(
        `/api/v1/inspect/snapshots?${query.toString()}`,
        "text/plain",
        await text(),
        ingestReceipt,
      );
      const [first] = rejected;
      setSaid(
        first === undefined
          ? {
              ok: true,
              text: `${accepted} kept as snapshots of ${node}${duplicates > 0 ? `, ${duplicates} were there already` : ""}.`,
            }
          : { ok: false, text: `${accepted} kept, ${rejected.length} not: ${first.detail}` },
      );
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setSaid({ ok: false, text: [error.message, ...error.fields.values()].join(" ") });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      id="h-save"
      title="Keep it as a node's snapshot"
      note="sends the text to this server; nothing is sent before"
    >
      <form
        onSubmit={(event) => void save(event)}
        className="flex flex-wrap items-end gap-x-3 gap-y-2 py-1.5 text-sm"
      >
        <Field label="name of the node" maxLength={253} value={node} onText={setNode} className="w-56" />
        <Field label="cluster" maxLength={100} value={cluster} onText={setCluster} className="w-40" />
        {snapshots.timed ? null : (
          <Field
            label="read at, with zone: 2026-03-01T04:15:00Z"
            value={at}
            placeholder="2026-03-01T04:15:00Z"
            onText={setAt}
            className="w-56 placeholder:text-ink-3"
          />
        )}
        <Button type="submit" disabled={busy}>
          {snapshots.count > 1 ? `Keep ${snapshots.count} snapshots` : "Keep this snapshot"}
        </Button>
      </form>
      <p role="status" className={`text-sm ${said?.ok === false ? "text-leaking-ink" : "text-ink"}`}>
        {said?.text}
      </p>
    </Section>
  );
}
