import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { dfCommandOf, dfHeadOf, type DfColumns, type DfCommand, type DfField } from "./df-columns.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";

const ROW =
  /^\s*(\S{1,200})\s+(?:([a-z][\w.]{1,15})\s+)?(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d{1,3}%|-)\s+(\/\S{0,300})\s*$/;
const MEMORY_FILESYSTEMS = /^(?:tmpfs|devtmpfs|shm|ramfs|run|udev|none)$/;
const AMOUNT_FIELDS: ReadonlySet<DfField> = new Set(["itotal", "iused", "iavail", "size", "used", "avail"]);

type Row = { [Field in DfField]?: string | undefined };

/**
 * df of file systems that live in memory (tmpfs), in whatever language. `tmpfs:MOUNT` is what its files hold,
 * `tmpfs_used_sum` all of them, `tmpfs_inodes:MOUNT_count` how many inodes they take. What it may hold are limits and no
 * use of memory: `tmpfs_size:MOUNT` and `tmpfs_inodes_max:MOUNT_count`. Other file systems give nothing.
 */
export const dfDump: Recogniser = {
  kind: "df",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let head: DfColumns | undefined;
    let last = -10;
    const finish = () => {
      const artefact = artefactOf(own, head);
      if (artefact !== undefined) artefacts.push(artefact);
      own = [];
      head = undefined;
    };
    for (const line of lines) {
      const isRow = readRow(line) !== undefined;
      const next = isRow ? undefined : lineAfter(line, lines);
      const found = next && readRow(next) && !line.isCommand ? dfHeadOf(rowOf(line)) : undefined;
      if (found === undefined && !isRow) continue;
      if (found !== undefined || line.index - last > 2 || line.context !== own.at(-1)?.context) finish();
      if (found !== undefined) head = found;
      own.push(line);
      last = line.index;
    }
    finish();
    return artefacts;
  },
};

/** The cells of a line that is a row under `--output`, where the command above says so, else of the table that df prints. */
function readRow(line: DumpLine): Row | undefined {
  const text = rowOf(line);
  if (!text.includes("/")) return undefined;
  const fields = text.length > 600 ? undefined : commandOf(line)?.fields;
  if (fields === undefined) {
    const [, source, fstype, size, used, avail, pcent, target] = ROW.exec(text) ?? [];
    return target === undefined ? undefined : { source, fstype, size, used, avail, pcent, target };
  }
  const cells = text.trim().split(/\s+/);
  if (cells.length !== fields.length) return undefined;
  const row: Row = {};
  fields.forEach((field, place) => (row[field] = cells[place]));
  const isRow = fields.every((field) =>
    AMOUNT_FIELDS.has(field)
      ? /^(?:\d[\d.,]*[BKMGTP]?|-)$/.test(row[field] ?? "")
      : field !== "target" || row.target?.startsWith("/") === true,
  );
  return isRow && row.target !== undefined ? row : undefined;
}

/** A list of many commands says nothing about one line. */
const LONGEST_COMMAND = 2000;

function commandOf({ context }: DumpLine): DfCommand | undefined {
  return context.length > LONGEST_COMMAND ? undefined : dfCommandOf(context);
}

const NO_HEAD = "The head of the table is not shown: blocks are taken to be 1 KiB, the default of df.";
const UNKNOWN_HEAD =
  "The head of the table does not tell in which unit its numbers are, so they are not used.";

function artefactOf(own: readonly DumpLine[], head: DfColumns | undefined): Artefact | undefined {
  const rows = own.flatMap((line) => {
    const cells = readRow(line);
    // A mount point that may be cut is another one.
    return cells === undefined ? [] : [{ cells, isWhole: !line.mayBeCut, line }];
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  const command = commandOf(first.line);
  const columns = columnsOf(head, command);
  const reading: Reading = { facts: new Map(), hasUnknownUnit: false, needsUnit: false };
  for (const { cells, isWhole } of rows) {
    const inMemory =
      command?.onlyTmpfs === true ||
      MEMORY_FILESYSTEMS.test(cells.source ?? "") ||
      MEMORY_FILESYSTEMS.test(cells.fstype ?? "");
    if (isWhole && inMemory) addRow(cells, columns, reading);
  }
  const { facts } = reading;
  const used = [...facts].filter(([name]) => name.startsWith("tmpfs:"));
  if (used.length > 0) {
    const ending = used.some(([name]) => name.endsWith("_approx")) ? "_approx" : "";
    facts.set(
      `tmpfs_used_sum${ending}`,
      used.reduce((sum, [, kib]) => sum + kib, 0),
    );
  }
  const warnings: string[] = [];
  if (reading.hasUnknownUnit) warnings.push(UNKNOWN_HEAD);
  else if (reading.needsUnit && head === undefined && command === undefined) warnings.push(NO_HEAD);
  return { kind: "df", lines: own, facts, warnings };
}

/** The head says what a table holds, else the command; a head that tells no unit leaves the command to tell it. */
function columnsOf(head: DfColumns | undefined, command: DfCommand | undefined): DfColumns {
  if (head === undefined) return command ?? { counts: "blocks", unitKib: 1 };
  return { counts: head.counts, unitKib: head.unitKib ?? command?.unitKib };
}

interface Reading {
  readonly facts: Map<string, number>;
  hasUnknownUnit: boolean;
  needsUnit: boolean;
}

function addRow(cells: Row, { counts, unitKib }: DfColumns, reading: Reading): void {
  const mount = cells.target ?? "";
  const putKib = (name: string, cell: string | undefined) => {
    const amount = parseAmount(cell);
    if (amount === undefined) return;
    if (!amount.hasUnit) reading.needsUnit = true;
    const unit = amount.hasUnit ? 1 : unitKib;
    if (unit === undefined) reading.hasUnknownUnit = true;
    else reading.facts.set(`${name}:${mount}${amount.rounded ? "_approx" : ""}`, amount.value * unit);
  };
  const putCount = (name: string, cell: string | undefined) => {
    const amount = parseAmount(cell);
    if (amount === undefined) return;
    // With -h a thousand of inodes is 1K of 1,024, and so no exact number.
    const [value, ending] = amount.hasUnit
      ? [amount.value * 1024, "_approx_count"]
      : [amount.value, "_count"];
    reading.facts.set(`${name}:${mount}${ending}`, value);
  };
  const isTable = cells.itotal === undefined && cells.iused === undefined && counts === "inodes";
  putCount("tmpfs_inodes_max", isTable ? cells.size : cells.itotal);
  putCount("tmpfs_inodes", isTable ? cells.used : cells.iused);
  if (isTable) return;
  putKib("tmpfs", cells.used);
  putKib("tmpfs_size", cells.size);
}
