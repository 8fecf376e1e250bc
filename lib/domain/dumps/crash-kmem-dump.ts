import { pagesToKib } from "../memory/kib.ts";
import type { Artefact, Recogniser } from "./artefact.ts";
import { parseAmount } from "./amount.ts";
import { rowOf, type DumpLine } from "./dump-line.ts";
import { runsOf } from "./samples.ts";

const HEADER = /^\s*PAGES\s+TOTAL\s+PERCENTAGE\s*$/;
const ROW =
  /^\s*([A-Z][A-Z ]{2,20}?)\s+(\d{1,15})\s+(0|\d[\d.,]*\s?[KMGT]?B)\s+(?:-{4}|\d{1,3}% of TOTAL [A-Z]+)\s*$/;

const NAMES: Readonly<Record<string, string>> = {
  "TOTAL MEM": "MemTotal",
  FREE: "MemFree",
  USED: "used",
  BUFFERS: "Buffers",
  CACHED: "Cached",
  SLAB: "Slab",
  "TOTAL SWAP": "SwapTotal",
  "SWAP FREE": "SwapFree",
  "COMMIT LIMIT": "CommitLimit",
  COMMITTED: "Committed_AS",
};

/**
 * `kmem -i` of crash(8). Pages, whose size follows from the amounts beside them. SHARED is a property of pages that are
 * in other rows, so it is left out; anonymous memory is not shown at all.
 */
export const crashKmemDump: Recogniser = {
  kind: "crash kmem -i",
  recognise: (lines) =>
    runsOf(lines, (line) => HEADER.test(rowOf(line)) || ROW.test(rowOf(line)))
      .filter((run) => run.length > 1)
      .map(artefactOf),
};

function artefactOf(run: readonly DumpLine[]): Artefact {
  const rows = run.flatMap(({ text }) => {
    const match = ROW.exec(text);
    const amount = parseAmount(match?.[3]?.replace(/\s/, ""));
    return match && amount
      ? [{ name: (match[1] ?? "").trim(), pages: Number(match[2]), kib: amount.value }]
      : [];
  });
  const largest = rows.reduce<{ pages: number; kib: number } | undefined>(
    (most, row) => (row.pages > (most?.pages ?? 0) ? row : most),
    undefined,
  );
  const pageKib = [4, 8, 16, 64].find(
    (size) => largest !== undefined && Math.abs((largest.pages * size) / largest.kib - 1) < 0.05,
  );
  const facts = new Map<string, number>();
  if (pageKib !== undefined) {
    for (const { name, pages } of rows) {
      const key = NAMES[name];
      if (key !== undefined) facts.set(key, pagesToKib(pages, pageKib * 1024));
    }
  }
  return {
    kind: "crash kmem -i",
    lines: run,
    facts,
    warnings: [
      "Anonymous memory is not among these rows, so what is not explained here need not be the kernel's.",
      ...(pageKib === undefined
        ? ["The size of a page does not follow from these amounts: they are not used."]
        : []),
    ],
  };
}
