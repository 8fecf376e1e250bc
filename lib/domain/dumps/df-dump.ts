import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";

const HEADER =
  /^\s*\S{4,30}\s+(?:\S{2,10}\s+)?(Size|Inodes|1K-blocks|1M-blocks|1024-blocks|512-blocks|1B-blocks)\s/;
const ROW =
  /^\s*(\S{1,200})\s+(?:([a-z][\w.]{1,15})\s+)?(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d[\d.,]{0,15}[BKMGTP]?)\s+(\d{1,3}%|-)\s+(\/\S{0,300})\s*$/;
const MEMORY_FILESYSTEMS = /^(?:tmpfs|devtmpfs|shm|ramfs|run|udev|none)$/;
const KIB_BY_BLOCK: Readonly<Record<string, number>> = { "1M": 1024, "512": 0.5, "1B": 1 / 1024 };

/**
 * df of file systems that live in memory (tmpfs): `tmpfs:MOUNT` is what its files hold, `tmpfs_used_sum` all of them;
 * with `-i` `tmpfs_inodes:MOUNT_count`. A size is a limit and no use of memory. Other file systems give nothing.
 */
export const dfDump: Recogniser = {
  kind: "df",
  recognise(lines) {
    const artefacts: Artefact[] = [];
    let own: DumpLine[] = [];
    let column = "";
    let last = -10;
    const finish = () => {
      const artefact = artefactOf(own, column);
      if (artefact !== undefined) artefacts.push(artefact);
      own = [];
      column = "";
    };
    for (const line of lines) {
      const text = rowOf(line);
      const header = HEADER.exec(text)?.[1];
      if (header === undefined && !ROW.test(text)) continue;
      if (header !== undefined || line.index - last > 2) finish();
      if (header !== undefined) column = header;
      own.push(line);
      last = line.index;
    }
    finish();
    return artefacts;
  },
};

function artefactOf(own: readonly DumpLine[], column: string): Artefact | undefined {
  if (!own.some(({ text }) => ROW.test(text))) return undefined;
  const facts = new Map<string, number>();
  const isInodes = column === "Inodes";
  const unitKib = KIB_BY_BLOCK[column.replace(/-blocks$/, "")] ?? 1;
  let sumKib: number | undefined;
  let rounded = false;
  for (const { text, mayBeCut } of own) {
    const match = ROW.exec(text);
    // A mount point that may be cut is another one.
    if (!match || mayBeCut) continue;
    const [, source = "", type = "", , used, , , mount = ""] = match;
    const amount = parseAmount(used);
    if (amount === undefined || !(MEMORY_FILESYSTEMS.test(source) || MEMORY_FILESYSTEMS.test(type))) continue;
    if (isInodes) facts.set(`tmpfs_inodes:${mount}_count`, amount.value);
    else {
      const kib = amount.value * (amount.hasUnit ? 1 : unitKib);
      rounded ||= amount.rounded;
      facts.set(`tmpfs:${mount}${amount.rounded ? "_approx" : ""}`, kib);
      sumKib = (sumKib ?? 0) + kib;
    }
  }
  if (sumKib !== undefined) facts.set(`tmpfs_used_sum${rounded ? "_approx" : ""}`, sumKib);
  const noUnit = !isInodes && column === "" && own.some(({ text }) => /\s\d+\s+\d+\s+\d+\s+\d+%/.test(text));
  return {
    kind: "df",
    lines: own,
    facts,
    warnings: noUnit
      ? ["The head of the table is not shown: blocks are taken to be 1 KiB, the default of df."]
      : [],
  };
}
