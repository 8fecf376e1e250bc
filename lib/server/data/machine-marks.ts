import type { MachineKind } from "#lib/contracts/annotation.ts";
import { numberArray, textArray, timeArray } from "./array-literal.ts";
import type { Queryable } from "./client.ts";
import { storableJson } from "./storable-json.ts";

/** A mark that the machine makes about one node. */
export interface MachineMark {
  readonly nodeId: number;
  readonly atMs: number;
  /** Of what came more than once: when it was last seen. */
  readonly endsAtMs?: number | undefined;
  readonly kind: MachineKind;
  readonly title: string;
  readonly text?: string | undefined;
  readonly tags?: readonly string[];
  /** The same key is the same mark: it is made once, also when a person has deleted it. */
  readonly dedupeKey: string;
}

/**
 * Stores marks that are not there yet; one that is and has come again since gets its later end, title and text. Safe to
 * repeat, in any order, and from several processes at once.
 */
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
    text: `insert into "Annotation" as known ("at", "endsAt", "scope", "nodeIds", "kind", "title", "text", "tags", "author", "madeBy",
        "dedupeKey", "createdAt", "updatedAt")
      select "at", "endsAt", json_build_object('nodes', json_build_array("nodeId"))::jsonb, array["nodeId"], "kind", "title",
        nullif("text", ''), array(select json_array_elements_text("tags")), 'plumbline', 'machine', "dedupeKey", $8, $8
      from unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::json[], $7::text[], $9::timestamptz[])
        as sent ("nodeId", "at", "kind", "title", "text", "tags", "dedupeKey", "endsAt")
      on conflict ("dedupeKey") do update set "endsAt" = excluded."endsAt", "title" = excluded."title",
        "text" = excluded."text", "updatedAt" = excluded."updatedAt"
      where excluded."endsAt" >= coalesce(known."endsAt", known."at")`,
    values: [
      numberArray(unique.map((mark) => mark.nodeId)),
      timeArray(unique.map((mark) => mark.atMs)),
      textArray(unique.map((mark) => mark.kind)),
      textArray(unique.map((mark) => mark.title)),
      textArray(unique.map((mark) => mark.text ?? "")),
      textArray(unique.map((mark) => storableJson(mark.tags ?? []))),
      textArray(unique.map((mark) => mark.dedupeKey)),
      new Date(nowMs).toISOString(),
      timeArray(unique.map((mark) => mark.endsAtMs)),
    ],
  });
}
