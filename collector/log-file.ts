import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { SourceReport } from "#lib/domain/snapshot/take-source.ts";
import { elapsedMs, explainFailure } from "./read-sources.ts";

/** How far a log was read, so that a later run goes on there. */
export interface LogPosition {
  readonly inode: number;
  readonly offset: number;
}

export interface LogLine {
  readonly text: string;
  readonly inode: number;
  /** Byte at which the line begins. */
  readonly offset: number;
}

/** Follows one log file by its inode, over rotation (renamed, or copied and cut). */
export interface LogFollower {
  /** Whole lines that came since the last call, within a bound; the rest is there at the next one. Never throws. */
  read: () => { lines: LogLine[]; report: SourceReport };
  /** `undefined` until the file was there once. */
  position: () => LogPosition | undefined;
  close: () => void;
}

const READ_BYTES = 256 * 1024;
/** So often in one call. */
const MOST_READS = 8;
/** Further behind than this the log is not caught up with: the rest is left out and said. */
const MOST_BEHIND = 16 * 1024 * 1024;
const LONGEST_LINE = 64 * 1024;
const NEWLINE = 10;
const buffer = Buffer.allocUnsafe(READ_BYTES);

/**
 * `saved` is where an earlier run stopped. Without it, reading begins at the end: what was written before the collector first
 * ran is not news. A file that was rotated away meanwhile is found again as `FILE.1`.
 */
export function createLogFollower(file: string, saved: LogPosition | undefined): LogFollower {
  let open: { descriptor: number; inode: number; offset: number } | undefined;
  let firstLook = true;
  let skippedBytes = 0;

  function openAt(name: string, offsetOf: (inode: number, size: number) => number): void {
    const descriptor = openSync(name, "r");
    const { ino, size } = fstatSync(descriptor);
    open = { descriptor, inode: ino, offset: offsetOf(ino, size) };
  }

  function shut(): void {
    if (open !== undefined) closeSync(open.descriptor);
    open = undefined;
  }

  function start(): void {
    if (!firstLook || saved === undefined) {
      // A file that appears while we watch is new from its begin on.
      openAt(file, (_inode, size) => (firstLook ? size : 0));
      return;
    }
    if (inodeOf(file) !== saved.inode && inodeOf(`${file}.1`) === saved.inode) {
      openAt(`${file}.1`, () => saved.offset);
      return;
    }
    openAt(file, (inode, size) => (inode === saved.inode && saved.offset <= size ? saved.offset : 0));
  }

  /** Reads what fits, up to the last line end; `bytes` is how far that went. */
  function readLines(): { lines: LogLine[]; bytes: number } {
    if (open === undefined) return { lines: [], bytes: 0 };
    const { size } = fstatSync(open.descriptor);
    // Copied and cut: it begins anew.
    if (size < open.offset) open.offset = 0;
    if (size - open.offset > MOST_BEHIND) {
      skippedBytes += size - READ_BYTES - open.offset;
      open.offset = size - READ_BYTES;
    }
    const length = readSync(open.descriptor, buffer, 0, buffer.length, open.offset);
    const lines: LogLine[] = [];
    let begin = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0 && end < length; end = buffer.indexOf(NEWLINE, begin)) {
      const to = Math.min(end, begin + LONGEST_LINE);
      lines.push({
        text: buffer.toString("utf8", begin, to),
        inode: open.inode,
        offset: open.offset + begin,
      });
      begin = end + 1;
    }
    // A line without end that fills the buffer is no line of a log.
    if (begin === 0 && length === buffer.length) begin = length;
    open.offset += begin;
    return { lines, bytes: begin };
  }

  return {
    read: () => {
      const startedAt = performance.now();
      const lines: LogLine[] = [];
      try {
        if (open === undefined) start();
        firstLook = false;
        for (let reads = 0; reads < MOST_READS; reads += 1) {
          const got = readLines();
          lines.push(...got.lines);
          if (got.bytes > 0) continue;
          // What was written to the old file before it was put away has been read by now.
          const inode = inodeOf(file);
          if (inode === undefined || inode === open?.inode) break;
          shut();
          openAt(file, () => 0);
        }
        const report: SourceReport = {
          status: skippedBytes > 0 ? "truncated" : "ok",
          readMs: elapsedMs(startedAt),
        };
        if (skippedBytes > 0)
          report.detail = `${skippedBytes} bytes were left out: the log grew faster than it is read`;
        return { lines, report };
      } catch (error) {
        shut();
        firstLook = false;
        return { lines, report: explainFailure(error) };
      }
    },
    position: () => (open === undefined ? saved : { inode: open.inode, offset: open.offset }),
    close: shut,
  };
}

function inodeOf(file: string): number | undefined {
  try {
    return statSync(file).ino;
  } catch {
    return undefined;
  }
}
