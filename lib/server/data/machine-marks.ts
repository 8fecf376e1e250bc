import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Queryable } from "./client.ts";
import { storableJson } from "./storable-json.ts";

/** A mark that the machine makes about one node. */
export interface MachineMark {
  readonly nodeId: number;
  readonly atMs: number;
  readonly kind:
    "reboot" | "kernel-change" | "version-change" | "collector-silent" | "boot-conflict" | "event";
  readonly title: string;
  readonly text?: string | undefined;
  readonly tags?: readonly string[];
  /** The same key is the same mark: it is made once, also when a person has deleted it. */
  readonly dedupeKey: string;
}

/** Stores marks that are not there yet. Safe to repeat, and from several processes at once. */
export async function insertMachineMarks(
  database: Queryable,
  marks: readonly MachineMark[],
  nowMs: number,
): Promise<void> {
  if (marks.length === 0) return;
  const unique = [...new Map(marks.map((mark) => [mark.dedupeKey, mark])).values()];
  unique.sort((a, b) => (a.dedupeKey < b.dedupeKey ? -1 : 1));
  await database.query({
    name: "insert-machine-marks",
    text: `insert into "Annotation" ("at", "scope", "nodeIds", "kind", "title", "text", "tags", "author", "madeBy",
        "dedupeKey", "createdAt", "updatedAt")
      select "at", json_build_object('nodes', json_build_array("nodeId"))::jsonb, array["nodeId"], "kind", "title",
        nullif("text", ''), array(select json_array_elements_text("tags")), 'plumbline', 'machine', "dedupeKey", $8, $8
      from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::json[], $7::text[])
        as sent ("nodeId", "at", "kind", "title", "text", "tags", "dedupeKey")
      on conflict ("dedupeKey") do nothing`,
    values: [
      numberArray(unique.map((mark) => mark.nodeId)),
      timeArray(unique.map((mark) => mark.atMs)),
      textArray(unique.map((mark) => mark.kind)),
      textArray(unique.map((mark) => mark.title)),
      textArray(unique.map((mark) => mark.text ?? "")),
      textArray(unique.map((mark) => storableJson(mark.tags ?? []))),
      textArray(unique.map((mark) => mark.dedupeKey)),
      new Date(nowMs).toISOString(),
    ],
  });
}
