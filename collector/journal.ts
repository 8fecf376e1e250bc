import { spawn, type ChildProcess } from "node:child_process";
import type { SourceReport } from "#lib/domain/snapshot/take-source.ts";
import { codeOf, messageOf } from "./log.ts";
import { parseRecord } from "./parse-record.ts";

/** One entry of the journal that is worth reading. */
export interface JournalEntry {
  readonly text: string;
  readonly atMs: number;
  readonly cursor: string;
  /** Whether a program sent it to the journal, not the kernel. */
  readonly isOfProgram: boolean;
}

/** Follows the journal through journalctl, which runs beside the collector. */
export interface JournalReader {
  /** What came since the last call. */
  read: () => { entries: JournalEntry[]; report: SourceReport };
  /** Where the next run goes on. */
  cursor: () => string | undefined;
  close: () => void;
}

export interface JournalOptions {
  /** Program and its first arguments. */
  command: readonly string[];
  /** Where an earlier run stopped. */
  after: string | undefined;
  /** Also the kernel's own messages, where nobody else reads them. */
  withKernel: boolean;
  /** Whether a message may be worth reading; lines of JSON whose text is not are not even parsed. */
  isWorthReading: (text: string) => boolean;
}

/** Programs whose messages name a limit that was reached. */
const IDENTIFIERS = ["kubelet", "crio", "containerd", "dockerd", "k3s", "rke2", "podman"];
const MOST_WAITING = 5000;
const LONGEST_LINE = 256 * 1024;
const AGAIN_AFTER_MS = 60_000;
/** A message that is no text: its words are not seen in the line. */
const BYTES = /"MESSAGE" ?: ?\[/;

/** Starts it anew after a minute when it ends. */
export function createJournalReader(options: JournalOptions): JournalReader {
  let waiting: JournalEntry[] = [];
  let lost = 0;
  let cursor = options.after;
  let rest = "";
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let report: SourceReport = { status: "ok" };

  function start(): void {
    const [program = "journalctl", ...first] = options.command;
    const matches = IDENTIFIERS.map((name) => `SYSLOG_IDENTIFIER=${name}`);
    const started = spawn(
      program,
      [
        ...first,
        // Without --all, a field of more than 4,096 bytes is null.
        ...["--output=json", "--all", "--follow", "--no-pager", "--quiet"],
        "--output-fields=MESSAGE,_TRANSPORT",
        ...(cursor === undefined ? ["--lines=0"] : [`--after-cursor=${cursor}`]),
        ...matches,
        ...(options.withKernel ? ["+", "_TRANSPORT=kernel"] : []),
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    child = started;
    report = { status: "ok" };
    rest = "";
    let complaint = "";
    started.stdout.setEncoding("utf8").on("data", take);
    started.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, 200);
    });
    started.on("error", (error) => {
      report =
        codeOf(error) === "ENOENT"
          ? { status: "absent", detail: "journalctl is not installed" }
          : { status: "malformed", detail: messageOf(error).slice(0, 200) };
      again();
    });
    started.on("exit", (code) => {
      if (closed) return;
      const said = complaint.trim();
      report = {
        status: /permission|not permitted/i.test(said) ? "denied" : "absent",
        detail: `journalctl ended with ${code ?? "a signal"}${said === "" ? "" : `: ${said}`}`,
      };
      again();
    });
  }

  function again(): void {
    child = undefined;
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(start, AGAIN_AFTER_MS);
    timer.unref();
  }

  function take(text: string): void {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) rest = "";
    for (const line of lines) {
      cursor = /"__CURSOR" ?: ?"([^"]{1,300})"/.exec(line)?.[1] ?? cursor;
      if (!BYTES.test(line) && !options.isWorthReading(line)) continue;
      const entry = parseJournalEntry(line);
      if (entry === undefined || !options.isWorthReading(entry.text)) continue;
      if (waiting.length < MOST_WAITING) waiting.push(entry);
      else lost += 1;
    }
  }

  start();
  return {
    read: () => {
      const entries = waiting;
      waiting = [];
      return {
        entries,
        report: lost > 0 ? { ...report, detail: `${lost} messages were left out: too many at once` } : report,
      };
    },
    cursor: () => cursor,
    close: () => {
      closed = true;
      clearTimeout(timer);
      child?.kill();
    },
  };
}

/** One line of `journalctl -o json`; a message that is no text comes as a list of bytes, several messages as a list of texts. */
export function parseJournalEntry(line: string): JournalEntry | undefined {
  const value = parseRecord(line);
  if (value === undefined) return undefined;
  const { MESSAGE, __REALTIME_TIMESTAMP, __CURSOR, _TRANSPORT, SYSLOG_IDENTIFIER = "kernel" } = value;
  const text = Array.isArray(MESSAGE) ? textOf(MESSAGE) : MESSAGE;
  const atMs = Math.floor(Number(__REALTIME_TIMESTAMP) / 1000);
  if (typeof text !== "string" || typeof __CURSOR !== "string" || !(atMs > 0)) return undefined;
  return {
    text,
    atMs,
    cursor: __CURSOR,
    isOfProgram: (_TRANSPORT ?? SYSLOG_IDENTIFIER) !== "kernel",
  };
}

function textOf(list: readonly unknown[]): string | undefined {
  if (list.every((each): each is number => typeof each === "number")) {
    return Buffer.from(list).toString("utf8");
  }
  const texts = list.map((each) => (Array.isArray(each) ? textOf(each) : each));
  return texts.every((each): each is string => typeof each === "string") ? texts.join("\n") : undefined;
}
