import { existsSync } from "node:fs";
import path from "node:path";
import {
  isWorthReading,
  createLogReader,
  type LogEvent,
  type LogReader,
} from "#lib/domain/kernel-log/log-reader.ts";
import { createEventGatherer, type ToldEvent } from "#lib/domain/kernel-log/gather-events.ts";
import { isOfProgram, stripPrefixes } from "#lib/domain/kernel-log/line-prefix.ts";
import { parseBootId } from "#lib/domain/procfs/boot-id.ts";
import { parseUptime } from "#lib/domain/procfs/uptime.ts";
import type { SourceReport, Sources } from "#lib/domain/snapshot/take-source.ts";
import type { RunConfig } from "./config.ts";
import type { EventPositions } from "./event-positions.ts";
import { createJournalReader, parseJournalEntry, type JournalReader } from "./journal.ts";
import { createKmsgReader } from "./kmsg.ts";
import {
  createLogClock,
  OLDEST_DAYS,
  placeCertain,
  type LineTime,
  type LogClock,
  type LookTimes,
} from "./line-time.ts";
import { createLogFollower, type LogFollower } from "./log-file.ts";
import type { CollectorEvent } from "./notice-events.ts";
import { readSource } from "./read-sources.ts";
import { createServiceWatch } from "./service-restarts.ts";

/** What to follow. */
export interface EventWatchOptions {
  /** The node's /proc. */
  proc: string;
  kmsg: string;
  /** Log files, and whether somebody asked for them: one that did not need not be there. */
  logs: readonly { file: string; asked: boolean; path: string }[];
  /** Program and first arguments; absent: the journal is not followed. */
  journalctl: readonly string[] | undefined;
  /** Where an earlier run stopped; only used in the same boot, save for files and the journal. */
  saved: EventPositions | undefined;
}

/** What happened since the last look. */
export interface Happened {
  events: CollectorEvent[];
  /** `log.PATTERN`, since boot as far as collectors were there. */
  counts: Record<string, number>;
  sources: Sources;
  /** Processes that logs say the OOM killer ended, since the last look. */
  oomKills: number;
  /** A program that runs containers has begun anew: its version may be another one. */
  restarted: boolean;
}

/** Follows logs and processes of the node and makes events of what they tell. */
export interface EventWatch {
  /** `told` is what else happened, as other parts of the collector know. */
  look: (nowMs: number, told?: readonly LogEvent[]) => Happened;
  positions: () => EventPositions;
  close: () => void;
}

/** Follows what the configuration names, in the node's root. */
export function openEventWatch(
  { places: { proc, root }, logs }: Pick<RunConfig, "places" | "logs">,
  saved: EventPositions | undefined,
): EventWatch {
  return createEventWatch({
    proc,
    kmsg: path.join(root, "dev/kmsg"),
    logs: logs.map((log) => ({ ...log, path: path.join(root, log.file) })),
    journalctl: findJournal(root),
    saved,
  });
}

/** The journal of another root is read from its files; that of this machine where journalctl finds it. */
function findJournal(root: string): string[] | undefined {
  const directories = ["var/log/journal", "run/log/journal"].map((each) => path.join(root, each));
  const found = directories.find((directory) => existsSync(directory));
  if (found === undefined) return undefined;
  return root === "/" ? ["journalctl"] : ["journalctl", `--directory=${found}`];
}

const MOST_EVENTS = 50;
const THOROUGH_MS = 60_000;
/** Of what the kernel remembers from before the collector first ran, so much is taken. */
const MOST_AGE_MS = 24 * 3_600_000;
/** A kill that was told with an older time than the last look less this is none that the kernel's counter shows now. */
const KILL_SLACK_MS = 60_000;

interface FollowedLog {
  readonly file: string;
  readonly asked: boolean;
  readonly follower: LogFollower;
  readonly reader: LogReader;
  readonly clock: LogClock;
  /** Events that were not told for their times, since the start. */
  readonly leftOut: Record<"old" | "ahead", number>;
}

/** Sees nothing that happened before it, save what the kernel still remembers of the last day and what `saved` has not read yet. */
export function createEventWatch(options: EventWatchOptions): EventWatch {
  const bootId = parseBootId(readText(path.join(options.proc, "sys/kernel/random/boot_id"))).value ?? "";
  const sameBoot = options.saved?.bootId === bootId ? options.saved : undefined;
  const kmsg = createKmsgReader(options.kmsg, sameBoot?.kmsgSequence);
  const kmsgLog = createLogReader();
  const logs = options.logs.map(({ file, asked, path: place }): FollowedLog => ({
    file,
    asked,
    follower: createLogFollower(place, options.saved?.files[file]),
    reader: createLogReader(),
    clock: createLogClock(),
    leftOut: { old: 0, ahead: 0 },
  }));
  const services = createServiceWatch(options.proc, sameBoot?.services ?? {});
  const gatherer = createEventGatherer();
  const counts: Record<string, number> = { ...sameBoot?.counts };
  const journalLog = createLogReader();
  let journal: JournalReader | undefined;
  let kmsgSequence = sameBoot?.kmsgSequence;
  let oomKills = 0;
  let thoroughAtMs = -Infinity;
  let lookedAtMs: number | undefined;
  let isKillNewFromMs = -Infinity;

  function take(event: LogEvent | undefined, source: string): void {
    if (event === undefined) return;
    const name = `log.${event.patternId}`;
    counts[name] = (counts[name] ?? 0) + 1;
    if (event.patternId === "oom-kill" && event.atMs >= isKillNewFromMs) oomKills += 1;
    gatherer.add(event, source);
  }

  function readKmsg(nowMs: number, bootMs: number): SourceReport {
    const { records, report } = kmsg.read();
    for (const { sequence, uptimeMs, text, isOfProgram } of records) {
      kmsgSequence = sequence;
      if (!isWorthReading(text)) continue;
      const printedMs = bootMs + uptimeMs;
      if (nowMs - printedMs > MOST_AGE_MS && sameBoot === undefined) continue;
      // The clock of the log drifts: what came since the last look came since the last look.
      const atMs = Math.round(Math.min(nowMs, Math.max(printedMs, lookedAtMs ?? -Infinity)));
      take(kmsgLog.read({ text, atMs, id: `kmsg:${bootId}:${sequence}`, isOfProgram }), "kmsg");
    }
    return report;
  }

  function readFile(log: FollowedLog, look: LookTimes, withKernel: boolean): SourceReport {
    const { file, follower, reader, clock, leftOut } = log;
    const { lines, report } = follower.read();
    for (const { text: raw, inode, offset } of lines) {
      const line = readLine(raw, look, clock);
      if (line === undefined) continue;
      const { time, ...message } = line;
      // Also where it is not told: it may be part of a report that goes on.
      const atMs = "leftOut" in time ? look.nowMs : time.atMs;
      const event = reader.read({ ...message, atMs, id: `log:${inode}:${offset}` });
      if (event === undefined || (!withKernel && event.by === "kernel")) continue;
      if ("leftOut" in time) leftOut[time.leftOut] += 1;
      else take(time.doubt === undefined ? event : doubted(event, time.doubt), `log:${file}`);
    }
    const last = lines.at(-1);
    if (last !== undefined) clock.notice(last.text, look);
    const said = leftOutWords(leftOut);
    if (said !== undefined) report.detail = report.detail === undefined ? said : `${report.detail}; ${said}`;
    return report;
  }

  function readJournal(withKernel: boolean): SourceReport | undefined {
    if (options.journalctl === undefined) return undefined;
    journal ??= createJournalReader({
      command: options.journalctl,
      after: options.saved?.journalCursor,
      withKernel,
      isWorthReading,
    });
    const { entries, report } = journal.read();
    for (const { text, atMs, cursor, isOfProgram } of entries) {
      const event = journalLog.read({
        text: stripPrefixes(text).text,
        atMs,
        id: `journal:${cursor.slice(0, 180)}`,
        isOfProgram,
      });
      if (event !== undefined && (withKernel || event.by !== "kernel")) take(event, "journal");
    }
    return report;
  }

  return {
    look: (nowMs, told = []) => {
      const uptime = parseUptime(readText(path.join(options.proc, "uptime"))).value;
      const uptimeMs = (uptime?.uptimeSeconds ?? 0) * 1000;
      const bootMs = nowMs - uptimeMs;
      const sources: Sources = {};
      const lookTimes: LookTimes = { nowMs, bootMs, isLive: lookedAtMs !== undefined };
      isKillNewFromMs = (lookedAtMs ?? -Infinity) - KILL_SLACK_MS;
      oomKills = 0;
      const kmsgReport = readKmsg(nowMs, bootMs);
      sources.kmsg = kmsgReport;
      const elsewhere = kmsgReport.status !== "ok";
      for (const log of logs) {
        const report = readFile(log, lookTimes, elsewhere);
        if (log.asked || report.status !== "absent") sources[`log:${log.file}`.slice(0, 128)] = report;
      }
      const ofJournal = readJournal(elsewhere);
      if (ofJournal !== undefined) sources.journal = ofJournal;
      const thorough = nowMs - thoroughAtMs >= THOROUGH_MS;
      if (thorough) thoroughAtMs = nowMs;
      const restarts = services.look({ nowMs, uptimeMs, bootId, thorough });
      for (const event of restarts) take(event, "proc");
      for (const event of told) take(event, "metrics");
      lookedAtMs = nowMs;
      const lost = gatherer.lost();
      if (lost > 0) kmsgReport.detail = `${lost} events were left out: too many kinds at once`;
      return {
        events: gatherer.take(nowMs, MOST_EVENTS).map(asCollectorEvent),
        counts: { ...counts },
        sources,
        oomKills,
        restarted: restarts.length > 0,
      };
    },
    positions: () => ({
      bootId,
      kmsgSequence,
      journalCursor: journal?.cursor() ?? options.saved?.journalCursor,
      files: Object.fromEntries(
        logs.flatMap(({ file, follower }) => {
          const position = follower.position();
          return position === undefined ? [] : [[file, position] as const];
        }),
      ),
      services: services.known(),
      counts,
    }),
    close: () => {
      kmsg.close();
      journal?.close();
      for (const { follower } of logs) follower.close();
    },
  };
}

/** A line of a log file: of a logger, of dmesg, or one of `journalctl -o json`, which bears its own time. */
function readLine(
  raw: string,
  look: LookTimes,
  clock: LogClock,
): { text: string; isOfProgram: boolean; time: LineTime } | undefined {
  const entry = raw.startsWith("{") ? parseJournalEntry(raw) : undefined;
  if (entry !== undefined) {
    if (!isWorthReading(entry.text)) return undefined;
    const time = placeCertain(entry.atMs, look.nowMs);
    return { text: stripPrefixes(entry.text).text, isOfProgram: entry.isOfProgram, time };
  }
  if (!isWorthReading(raw)) return undefined;
  return { text: stripPrefixes(raw).text, isOfProgram: isOfProgram(raw), time: clock.place(raw, look) };
}

function doubted(event: LogEvent, doubt: string): LogEvent {
  return { ...event, text: `${event.text.slice(0, LONGEST_TEXT - doubt.length - 2)}\n\n${doubt}` };
}

function leftOutWords({ old, ahead }: FollowedLog["leftOut"]): string | undefined {
  const words = [
    ...(old > 0 ? [`${old} of more than ${OLDEST_DAYS} days ago`] : []),
    ...(ahead > 0 ? [`${ahead} with times that are still to come`] : []),
  ];
  return words.length === 0 ? undefined : `events left out for their times: ${words.join(", ")}`;
}

const LONGEST_TITLE = 300;
const LONGEST_TEXT = 4000;

function asCollectorEvent({ key, event, untilMs, count }: ToldEvent): CollectorEvent {
  const often = count > 1 ? `, ${count} times` : "";
  return {
    at: new Date(event.atMs).toISOString(),
    ...(count > 1 && { until: new Date(untilMs).toISOString(), count }),
    kind: event.kind,
    title: `${event.title.slice(0, LONGEST_TITLE - often.length)}${often}`,
    text: storable(event.text).slice(0, LONGEST_TEXT),
    key,
  };
}

function readText(file: string): string {
  return readSource(file, 4096).text ?? "";
}

/** Logs may hold what no database stores. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", " ");
}
