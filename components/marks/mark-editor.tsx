"use client";

import type { MarkPlace } from "#lib/charts/mark-form.ts";
import { ApiProblem, send } from "../node/api-client.ts";
import { MarkDialog } from "./mark-dialog.tsx";
import type { MarkTask, MarkValues, SaveFailure } from "./mark-dialog.tsx";

async function tried(act: () => Promise<void>): Promise<SaveFailure | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem)
      return { message: error.message, requestId: error.requestId, fields: error.fields };
    throw error;
  }
}

/** The form of a mark with its saving: what is written goes to the API, and `onWritten` reads it anew. */
export function MarkEditor({
  task,
  place,
  zone,
  nowMs,
  onClose,
  onWritten,
}: {
  readonly task: MarkTask;
  readonly place: MarkPlace | undefined;
  readonly zone: string;
  readonly nowMs: number;
  readonly onClose: () => void;
  readonly onWritten: () => Promise<void> | void;
}) {
  const address = "/api/v1/annotations";
  const save = (values: MarkValues) =>
    tried(async () => {
      // What was not touched is undefined, and JSON leaves it out.
      if (task.kind === "edit") await send("PATCH", `${address}/${task.mark.annotationId}`, values);
      else {
        const { endsAt, text, ...rest } = values;
        await send("POST", address, { ...rest, endsAt: endsAt ?? undefined, text: text ?? undefined });
      }
      await onWritten();
    });
  const remove = (annotationId: number) =>
    tried(async () => {
      await send("DELETE", `${address}/${annotationId}`);
      await onWritten();
    });
  return (
    <MarkDialog
      key={task.kind === "edit" ? task.mark.annotationId : `at ${task.atMs}`}
      task={task}
      place={place}
      zone={zone}
      nowMs={nowMs}
      onClose={onClose}
      onSave={save}
      onDelete={task.kind === "edit" ? () => remove(task.mark.annotationId) : undefined}
    />
  );
}
