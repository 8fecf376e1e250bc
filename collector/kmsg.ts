import { closeSync, constants, openSync, readSync } from "node:fs";
import type { SourceReport } from "#lib/domain/snapshot/take-source.ts";
import { codeOf } from "./log.ts";
import { elapsedMs, explainFailure } from "./read-sources.ts";

/** One record of the kernel's log. */
export interface KmsgRecord {
  readonly sequence: number;
  /** Since boot, by the clock of printk: it drifts from the time of day by seconds in weeks. */
  readonly uptimeMs: number;
  readonly text: string;
  /** Whether a program wrote it into the kernel's log. */
  readonly isOfProgram: boolean;
}

/** Follows /dev/kmsg without ever waiting. */
export interface KmsgReader {
  /** What came since the last call, at most `MOST_RECORDS`; the rest is there at the next one. Never throws. */
  read: () => { records: KmsgRecord[]; report: SourceReport };
  close: () => void;
}

const RECORD_BYTES = 16 * 1024;
const MOST_RECORDS = 10_000;

/**
 * `after` is the sequence number of the last record that an earlier run of the same boot took. Each reading gives one record;
 * records that the kernel overwrote before they were read are counted in the report.
 */
export function createKmsgReader(file: string, after: number | undefined): KmsgReader {
  const buffer = Buffer.alloc(RECORD_BYTES);
  let descriptor: number | undefined;
  let last = after;
  let overwritten = 0;

  function readOne(): string | undefined {
    descriptor ??= openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    for (;;) {
      try {
        const length = readSync(descriptor, buffer, 0, buffer.length, null);
        return length === 0 ? undefined : buffer.toString("utf8", 0, length);
      } catch (error) {
        // The next record is one that is still there.
        if (codeOf(error) === "EPIPE") continue;
        if (codeOf(error) === "EAGAIN") return undefined;
        throw error;
      }
    }
  }

  return {
    read: () => {
      const startedAt = performance.now();
      const records: KmsgRecord[] = [];
      try {
        for (let taken = 0; taken < MOST_RECORDS; taken += 1) {
          const text = readOne();
          if (text === undefined) break;
          const record = parseKmsgRecord(text);
          if (record === undefined || (last !== undefined && record.sequence <= last)) continue;
          if (last !== undefined) overwritten += record.sequence - last - 1;
          last = record.sequence;
          records.push(record);
        }
        const report: SourceReport = { status: "ok", readMs: elapsedMs(startedAt) };
        if (overwritten > 0)
          report.detail = `${overwritten} records were overwritten before they could be read`;
        return { records, report };
      } catch (error) {
        return { records, report: explainFailure(error) };
      }
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** `priority,sequence,microseconds,flags[,…];text`, then lines of keys that begin with a blank. Control characters are `\xNN`. */
export function parseKmsgRecord(record: string): KmsgRecord | undefined {
  const match = /^(\d{1,5}),(\d{1,15}),(\d{1,16}),[^;]{0,200};(.*)$/m.exec(record);
  if (match === null) return undefined;
  const [, priority, sequence, microseconds, text = ""] = match;
  return {
    // Facility 0 is the kernel's; it gives another one to whatever a program writes.
    isOfProgram: Number(priority) >> 3 !== 0,
    sequence: Number(sequence),
    uptimeMs: Math.floor(Number(microseconds) / 1000),
    text: text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : " ";
    }),
  };
}
