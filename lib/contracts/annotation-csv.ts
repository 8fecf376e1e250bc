import { z } from "zod";
import { createAnnotation, machineKind, type Annotation, type CreateAnnotation } from "./annotation.ts";
import { readCsv, toCsv } from "./csv.ts";

/** Most rows that one import takes. */
export const MAX_IMPORT_ROWS = 1000;

/** What an import did. */
export const annotationImport = z.strictObject({
  created: z.int().meta({ description: "Marks made" }),
  known: z.int().meta({ description: "Rows that are a mark already: same time, kind, title and nodes" }),
  machine: z.int().meta({ description: "Rows of kinds that only the machine makes, passed over" }),
});

export type AnnotationImport = z.infer<typeof annotationImport>;

/** Columns of an export. An import reads at, endsAt, kind, title, text, tags, scope, controls; the others are for people. */
const COLUMNS = [
  "annotationId",
  "at",
  "endsAt",
  "kind",
  "title",
  "text",
  "tags",
  "scope",
  "nodes",
  "controls",
  "author",
  "madeBy",
  "createdAt",
  "updatedAt",
  "deletedAt",
] as const;

const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());

/** A list in one cell: with semicolons, or as JSON where a part holds one. */
function listCell(parts: readonly string[]): string {
  const isPlain = parts.every((part) => part !== "" && !/[;"[\]]/.test(part) && part === part.trim());
  return isPlain ? parts.join("; ") : JSON.stringify(parts);
}

/** Marks as CSV; `nodesOf` names the nodes that a mark meant as `cluster/name`. Times are ISO 8601 in UTC. */
export function annotationCsv(
  marks: readonly Annotation[],
  nodesOf: (mark: Annotation) => readonly string[],
): string {
  return toCsv({
    columns: COLUMNS,
    rows: marks.map((mark) => [
      mark.annotationId,
      iso(mark.at),
      iso(mark.endsAt),
      mark.kind,
      mark.title,
      mark.text,
      listCell(mark.tags),
      JSON.stringify(mark.scope),
      listCell(nodesOf(mark)),
      typeof mark.controls === "string" ? mark.controls : JSON.stringify(mark.controls),
      mark.author,
      mark.madeBy,
      iso(mark.createdAt),
      iso(mark.updatedAt),
      iso(mark.deletedAt),
    ]),
  });
}

/** One row of an import: what to make, or that only the machine makes it. */
export interface ImportRow {
  readonly line: number;
  readonly mark: CreateAnnotation | "machine";
}

/** A cell that cannot be read; `line` counts from 1. */
export interface ImportFault {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

/**
 * Reads marks from CSV text whose header names columns of an export, in any order; at, kind, title and scope are needed. A
 * scope is JSON as the API has it, `{}` for all nodes: an empty cell never means every node. Total on any text.
 */
export function readAnnotationCsv(text: string): { rows: ImportRow[]; faults: ImportFault[] } {
  const read = readCsv(text);
  if (!read.ok) return { rows: [], faults: [{ line: read.line, column: "", message: read.message }] };
  const [header, ...body] = read.rows;
  const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
  const headFault = faultOfHeader(names);
  if (headFault !== undefined) return { rows: [], faults: [{ line: 1, column: "", message: headFault }] };
  if (body.length > MAX_IMPORT_ROWS) {
    const message = `expected at most ${MAX_IMPORT_ROWS} rows, had ${body.length}; import them in parts`;
    return { rows: [], faults: [{ line: body[MAX_IMPORT_ROWS]?.line ?? 1, column: "", message }] };
  }
  const rows: ImportRow[] = [];
  const faults: ImportFault[] = [];
  for (const { line, cells } of body) {
    const cellOf = (name: (typeof COLUMNS)[number]) => cells[names.indexOf(name.toLowerCase())] ?? "";
    if (cells.length > names.length) {
      faults.push({ line, column: "", message: `expected ${names.length} cells, had ${cells.length}` });
    } else if (machineKind.safeParse(cellOf("kind").trim()).success) {
      rows.push({ line, mark: "machine" });
    } else {
      const { mark, found } = readRow(cellOf);
      if (mark !== undefined) rows.push({ line, mark });
      faults.push(...found.map((each) => ({ line, ...each })));
    }
  }
  return { rows, faults };
}

function faultOfHeader(names: readonly string[]): string | undefined {
  const missing = ["at", "kind", "title", "scope"].filter((name) => !names.includes(name));
  if (missing.length > 0) return `expected a header with ${missing.join(", ")}`;
  const known = new Set<string>(COLUMNS.map((name) => name.toLowerCase()));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) return `unknown column ${unknown.slice(0, 3).join(", ").slice(0, 100)}`;
  return new Set(names).size === names.length ? undefined : "a column stands there twice";
}

type Found = { column: string; message: string }[];

function readRow(cellOf: (name: (typeof COLUMNS)[number]) => string): {
  mark: CreateAnnotation | undefined;
  found: Found;
} {
  const found: Found = [];
  const json = (column: "scope" | "controls", written: string): unknown => {
    try {
      return JSON.parse(written) as unknown;
    } catch {
      const message =
        column === "scope"
          ? 'expected a scope such as {} for all nodes or {"cluster":"east"}'
          : "expected auto, none, or a scope";
      found.push({ column, message });
      return undefined;
    }
  };
  const when = (written: string) => (/^\d+$/.test(written) ? Number(written) : written);
  const [at, endsAt, controls, tags] = (["at", "endsAt", "controls", "tags"] as const).map((name) =>
    cellOf(name).trim(),
  );
  const written: Record<string, unknown> = {
    at: when(at ?? ""),
    ...(endsAt !== "" && { endsAt: when(endsAt ?? "") }),
    kind: cellOf("kind").trim(),
    title: cellOf("title"),
    ...(cellOf("text") !== "" && { text: cellOf("text") }),
    tags: readList(tags ?? ""),
    scope: json("scope", cellOf("scope")),
    ...(controls !== "" && {
      controls: controls?.startsWith("{") === true ? json("controls", controls) : controls,
    }),
  };
  if (found.length > 0) return { mark: undefined, found };
  const parsed = createAnnotation.safeParse(written);
  if (parsed.success) return { mark: parsed.data, found };
  return {
    mark: undefined,
    found: parsed.error.issues.map(({ path, message }) => ({
      column: path.map(String).join("."),
      message,
    })),
  };
}

function readList(cell: string): unknown {
  if (cell.startsWith("[")) {
    try {
      return JSON.parse(cell) as unknown;
    } catch {
      // Not JSON after all: a tag may begin with a bracket.
    }
  }
  return cell
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);
}
