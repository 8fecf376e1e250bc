import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { codeOf, messageOf, type Log } from "./log.ts";
import { parsePidStat } from "#lib/domain/procfs/pid-stat.ts";

/** A run of snapshots that is sent together: one line of JSON each, oldest first. */
export interface Batch {
  readonly segment: number;
  readonly lines: readonly string[];
}

export interface SpoolState {
  /** Bytes that wait on disk and in memory. */
  readonly bytes: number;
  /** Snapshots given up since the collector started: for want of room, or damaged on disk. */
  readonly droppedSnapshots: number;
}

/**
 * A bounded queue of snapshots on disk. A line is on the disk (fdatasync) before `append` returns. Segments are files
 * named by a rising number; the newest is appended to, the others only read. When the bound is passed the oldest
 * segment is given up and its snapshots counted.
 */
export interface Spool {
  /** Keeps one line. When the disk refuses it is held in memory, within a small bound, and written later. */
  append: (line: string) => void;
  /** The oldest batch that may be sent now; `undefined` when nothing waits. It stays until `settle`. */
  take: (nowMs: number) => Batch | undefined;
  /** The server has all lines of the batch save `keep`, which stay and are not given out before `notBeforeMs`. */
  settle: (batch: Batch, keep: readonly string[], notBeforeMs: number) => void;
  state: () => SpoolState;
  close: () => void;
}

export interface SpoolOptions {
  directory: string;
  mostBytes: number;
  log: Log;
}

interface Segment {
  number: number;
  bytes: number;
  notBeforeMs: number;
  /** Left by an earlier run: its last line may be torn, so each line is checked. */
  recovered: boolean;
}

const SEGMENT_BYTES = 256 * 1024;
const MOST_IN_MEMORY = 240;
const NAME = /^(\d{10})\.ndjson$/;
const LOCK = "lock";

/** Another collector uses the directory. */
export class SpoolInUse extends Error {
  override readonly name = "SpoolInUse";
}

/** Not by `recursive`: that tries for ever where a parent is there and takes no directory, as /proc. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(directory).isDirectory()) return;
    const parent = path.dirname(directory);
    if (codeOf(error) !== "ENOENT" || existsSync(parent)) throw error;
    makeDirectory(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}

/** Opens the directory and takes up what an earlier run left. Throws `SpoolInUse`, or an error that names the directory. */
export function openSpool({ directory, mostBytes, log }: SpoolOptions): Spool {
  try {
    makeDirectory(directory);
    takeLock(directory);
  } catch (error) {
    if (error instanceof SpoolInUse) throw error;
    throw new Error(`the spool ${directory} cannot be used, name another with --spool: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const segmentBytes = Math.min(SEGMENT_BYTES, Math.max(1, Math.floor(mostBytes / 4)));
  const segments = findSegments(directory);
  const memory: string[] = [];
  let lastNumber = segments.at(-1)?.number ?? 0;
  let current: { segment: Segment; descriptor: number } | undefined;
  let taken: number | undefined;
  let droppedSnapshots = 0;
  let diskRefused = false;

  const fileOf = (number: number) => path.join(directory, `${String(number).padStart(10, "0")}.ndjson`);
  const bytesOnDisk = () => segments.reduce((sum, segment) => sum + segment.bytes, 0);

  function seal(): void {
    if (current === undefined) return;
    closeSync(current.descriptor);
    current = undefined;
  }

  function openCurrent(): { segment: Segment; descriptor: number } {
    if (current !== undefined) return current;
    const number = lastNumber + 1;
    const descriptor = openSync(fileOf(number), "ax", 0o600);
    lastNumber = number;
    syncDirectory(directory);
    const segment = { number, bytes: 0, notBeforeMs: 0, recovered: false };
    segments.push(segment);
    current = { segment, descriptor };
    return current;
  }

  function write(lines: readonly string[]): void {
    const { segment, descriptor } = openCurrent();
    const data = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    try {
      for (let written = 0; written < data.length;) written += writeSync(descriptor, data, written);
      fdatasyncSync(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, segment.bytes);
      throw error;
    }
    segment.bytes += data.length;
    if (segment.bytes >= segmentBytes) seal();
  }

  function keepWithinBound(): void {
    while (bytesOnDisk() > mostBytes) {
      const oldest = segments.find(({ number }) => number !== taken);
      if (oldest === undefined) return;
      if (current?.segment === oldest) seal();
      const lost = countLines(fileOf(oldest.number));
      remove(oldest);
      droppedSnapshots += lost;
      log("warn", "spool is full: the oldest snapshots were given up", { snapshots: lost, droppedSnapshots });
    }
  }

  function remove(segment: Segment): void {
    rmSync(fileOf(segment.number), { force: true });
    segments.splice(segments.indexOf(segment), 1);
  }

  function readLines(segment: Segment): string[] {
    const lines = readFileSync(fileOf(segment.number), "utf8").split("\n");
    const tail = lines.pop();
    if (!segment.recovered) return lines;
    const sound = lines.filter(isJson);
    const torn = lines.length - sound.length + (tail === undefined || tail === "" ? 0 : 1);
    segment.recovered = false;
    if (torn > 0) {
      droppedSnapshots += torn;
      const text = sound.map((line) => `${line}\n`).join("");
      replaceFile(fileOf(segment.number), text);
      segment.bytes = Buffer.byteLength(text);
      log("warn", "damaged snapshots in the spool were given up", { snapshots: torn });
    }
    return sound;
  }

  function flushMemory(): void {
    if (memory.length === 0) return;
    write(memory);
    memory.length = 0;
  }

  return {
    append: (line) => {
      try {
        if (taken !== 0) flushMemory();
        write([line]);
        if (diskRefused) log("info", "spool can be written again");
        diskRefused = false;
        keepWithinBound();
      } catch (error) {
        if (!diskRefused) {
          log("error", "spool cannot be written; keeping snapshots in memory", { reason: messageOf(error) });
        }
        diskRefused = true;
        memory.push(line);
        while (memory.length > MOST_IN_MEMORY) {
          memory.shift();
          droppedSnapshots += 1;
        }
      }
    },

    take: (nowMs) => {
      for (const segment of [...segments]) {
        if (segment.notBeforeMs > nowMs) continue;
        if (current?.segment === segment) seal();
        const lines = readLines(segment);
        if (lines.length === 0) {
          remove(segment);
          continue;
        }
        taken = segment.number;
        return { segment: segment.number, lines };
      }
      if (memory.length === 0) return undefined;
      taken = 0;
      return { segment: 0, lines: [...memory] };
    },

    settle: (batch, keep, notBeforeMs) => {
      taken = undefined;
      if (batch.segment === 0) {
        const sent = new Set(batch.lines);
        const kept = new Set(keep);
        const rest = memory.filter((line) => !sent.has(line) || kept.has(line));
        memory.splice(0, memory.length, ...rest);
        return;
      }
      const segment = segments.find(({ number }) => number === batch.segment);
      if (segment === undefined) return;
      segment.notBeforeMs = notBeforeMs;
      if (keep.length === 0) remove(segment);
      else if (keep.length < batch.lines.length) {
        const text = keep.map((line) => `${line}\n`).join("");
        replaceFile(fileOf(segment.number), text);
        segment.bytes = Buffer.byteLength(text);
      }
    },

    state: () => ({
      bytes: bytesOnDisk() + memory.reduce((sum, line) => sum + line.length + 1, 0),
      droppedSnapshots,
    }),

    close: () => {
      try {
        flushMemory();
      } catch (error) {
        log("error", "spool cannot be written; snapshots in memory are lost", {
          snapshots: memory.length,
          reason: messageOf(error),
        });
      }
      seal();
      rmSync(path.join(directory, LOCK), { force: true });
    },
  };
}

function findSegments(directory: string): Segment[] {
  return readdirSync(directory)
    .flatMap((name) => {
      const number = NAME.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ name, number }) => ({
      number,
      bytes: statSync(path.join(directory, name)).size,
      notBeforeMs: 0,
      recovered: true,
    }));
}

function countLines(file: string): number {
  const data = readFileSync(file);
  let lines = 0;
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Puts new content under an old name in one step that survives a crash. */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
  syncDirectory(path.dirname(file));
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Two collectors on one directory would delete each other's segments; a lock of a process that is gone is taken over. */
function takeLock(directory: string): void {
  const file = path.join(directory, LOCK);
  const own = `${process.pid} ${startTicksOf(process.pid) ?? ""}`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, own, { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const [pid, startTicks] = readFileSync(file, "utf8").split(" ");
    if (pid !== undefined && startTicks !== "" && startTicksOf(Number(pid)) === startTicks) {
      throw new SpoolInUse(`${directory} is used by the collector with process id ${pid}`);
    }
    rmSync(file, { force: true });
  }
  throw new SpoolInUse(`${directory} is being taken by another collector at this moment`);
}

/** Tells a process from a later one with the same number. */
function startTicksOf(pid: number): string | undefined {
  try {
    return parsePidStat(readFileSync(`/proc/${pid}/stat`, "utf8")).value?.startTicks;
  } catch {
    return undefined;
  }
}
