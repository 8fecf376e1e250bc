import { execFileSync, type ChildProcess } from "node:child_process";
import { constants, closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { endHolder, startHolder } from "./holder.ts";
import { hasCode, LAB_NAME } from "./lab.ts";
import { CannotRun, isTmpfs } from "./machine.ts";

/** Kinds of memory the lab can take and give back, each seen in another counter. */
export const KINDS = ["tmpfs", "threads", "page-tables", "page-cache", "pipes"] as const;
export type Kind = (typeof KINDS)[number];

/** Memory that is held until `release`. */
export interface Held {
  /** What was really taken, by the lab's own count. */
  readonly kib: number;
  release(): Promise<void>;
}

const CHUNK = Buffer.alloc(1024 * 1024, 1);
const PIPE_KIB = 64;
const THREADS_PER_PROCESS = 1024;
const STACK_KIB = 16;
const MOST_THREADS = 16_384;

/**
 * Takes about `mib` MiB of one kind for real:
 *
 * - `tmpfs`: a file in memory; Shmem and Cached rise together.
 * - `page-cache`: a file on disk, written and synced; Cached rises, Shmem does not.
 * - `threads`: idle threads; KernelStack (and with vmapped stacks VmallocUsed) rises by 16 KiB each.
 * - `page-tables`: one byte read in every 2 MiB of untouched memory; PageTables rises, AnonPages does not.
 * - `pipes`: full pipes; no counter of meminfo knows them, so they land in what is unaccounted.
 */
export async function holdMemory(kind: Kind, mib: number): Promise<Held> {
  const free = os.freemem() / 1024 / 1024;
  if (mib * 1.2 + 512 > free) {
    throw new CannotRun(
      `only ${Math.floor(free)} MiB are free; ${mib} MiB and 512 MiB for the machine are needed`,
    );
  }
  switch (kind) {
    case "tmpfs":
      return holdFile(findDirectory(["/dev/shm", "/run"], true, "a tmpfs that can be written to"), mib);
    case "page-cache":
      return holdFile(
        findDirectory(
          [os.tmpdir(), "/var/tmp", process.cwd()],
          false,
          "a directory on disk that can be written to",
        ),
        mib,
      );
    case "threads":
      return holdThreads(mib);
    case "page-tables":
      return holdPageTables(mib);
    case "pipes":
      return holdPipes(mib);
  }
}

function findDirectory(candidates: string[], tmpfs: boolean, what: string): string {
  for (const candidate of candidates) {
    try {
      if (isTmpfs(candidate) === tmpfs)
        return mkdtempSync(path.join(candidate, `${LAB_NAME}-${process.pid}-`));
    } catch {
      continue;
    }
  }
  throw new CannotRun(`found no place: ${what} is needed (looked at ${candidates.join(", ")})`);
}

function holdFile(directory: string, mib: number): Held {
  const release = async () => rmSync(directory, { recursive: true, force: true });
  try {
    const file = openSync(path.join(directory, "held"), "w+");
    for (let written = 0; written < mib; written += 1) writeSync(file, CHUNK);
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return { kib: mib * 1024, release };
}

/** Full FIFOs; opened for reading and writing at once, so that one process can hold them without a peer. */
function holdPipes(mib: number): Held {
  const directory = mkdtempSync(path.join(os.tmpdir(), `${LAB_NAME}-`));
  const descriptors: number[] = [];
  const release = async () => {
    for (const descriptor of descriptors) closeSync(descriptor);
  };
  const wanted = Math.ceil((mib * 1024) / PIPE_KIB);
  const names = Array.from({ length: wanted }, (_, index) => path.join(directory, `pipe-${index}`));
  for (let from = 0; from < names.length; from += 500) execFileSync("mkfifo", names.slice(from, from + 500));
  let bytes = 0;
  try {
    for (const name of names) {
      const descriptor = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
      descriptors.push(descriptor);
      bytes += fillPipe(descriptor);
    }
  } catch (error) {
    if (!hasCode(error, "EMFILE") && !hasCode(error, "ENFILE")) throw error;
  } finally {
    // A pipe that is open needs no name: nothing is left behind, however this process ends.
    rmSync(directory, { recursive: true, force: true });
  }
  return { kib: Math.floor(bytes / 1024), release };
}

function fillPipe(descriptor: number): number {
  let bytes = 0;
  for (;;) {
    try {
      bytes += writeSync(descriptor, CHUNK, 0, 4096);
    } catch (error) {
      if (hasCode(error, "EAGAIN")) return bytes;
      throw error;
    }
  }
}

/**
 * A read of untouched memory maps the shared zero page: a page table page appears, but no memory behind it. Done in a
 * child, because what a JavaScript engine gives back and when is its own affair.
 */
async function holdPageTables(mib: number): Promise<Held> {
  const tables = Math.ceil((mib * 1024) / 4);
  const program = `
    const blocks = [];
    for (let touched = 0; touched < ${tables}; ) {
      const block = new Uint8Array(2 ** 30);
      blocks.push(block);
      for (let at = 0; at < block.length && touched < ${tables}; at += 2 ** 21, touched += 1)
        if (block[at] !== 0) throw new Error("fresh memory was not zero");
    }
    globalThis.held = blocks;
    process.stdout.write(".");`;
  const child = await startHolder(program);
  return { kib: tables * 4, release: () => endHolder(child) };
}

/**
 * Idle threads without native code: a Node.js process starts its whole pool of workers at the first file operation,
 * and the pool may have 1,024.
 */
async function holdThreads(mib: number): Promise<Held> {
  const wanted = Math.ceil((mib * 1024) / STACK_KIB);
  if (wanted > MOST_THREADS) {
    throw new CannotRun(
      `${wanted} threads are too many for one machine; at most ${(MOST_THREADS * STACK_KIB) / 1024} MiB`,
    );
  }
  const children: ChildProcess[] = [];
  const release = async () => {
    await Promise.all(children.map(endHolder));
  };
  const program = 'require("node:fs").stat("/", () => process.stdout.write("."))';
  let started = 0;
  try {
    while (started < wanted) {
      const threads = Math.min(THREADS_PER_PROCESS, wanted - started);
      children.push(await startHolder(program, { UV_THREADPOOL_SIZE: String(threads) }));
      started += threads;
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { kib: started * STACK_KIB, release };
}
