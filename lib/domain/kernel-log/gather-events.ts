import type { LogEvent } from "./log-reader.ts";

/** An event as it is told: once when it is first seen, and once more, under the same key, when it has come again. */
export interface ToldEvent {
  readonly key: string;
  readonly event: LogEvent;
  /** Time of the last of them; equals the event's own time while there is one. */
  readonly untilMs: number;
  readonly count: number;
}

/** Makes many same events into few. */
export interface EventGatherer {
  /** `source` names the log: what two logs tell is one thing, so the log that told it most often counts. */
  add: (event: LogEvent, source: string) => void;
  /**
   * What is to be told now, at most `most`, first the earliest. What came again is told when its stretch is over, or
   * when all is (`ending`).
   */
  take: (nowMs: number, most: number, ending?: boolean) => ToldEvent[];
  /** Events that were not kept because too much happened at once, since the start. */
  lost: () => number;
}

interface Group {
  readonly key: string;
  readonly event: LogEvent;
  readonly lengthMs: number;
  untilMs: number;
  readonly bySource: Map<string, number>;
  toldCount: number;
}

/** One event a minute; when it goes on, one in ten minutes, then one an hour. */
const LENGTHS_MS = [60_000, 600_000, 3_600_000] as const;
const MOST_GROUPS = 500;

/** Groups by the times of the events, not by when they are read, so that reading the same log again groups it alike. */
export function createEventGatherer(): EventGatherer {
  const groups = new Map<string, Group>();
  /** Stretches that are over and have something left to tell. */
  const closed: Group[] = [];
  let lost = 0;

  function open(event: LogEvent, source: string, lengthMs: number): void {
    if (groups.size < MOST_GROUPS) groups.set(subjectOf(event), groupOf(event, source, lengthMs));
    else lost += 1;
  }

  /** What a log tells late is of no stretch that is open. */
  function tellLate(event: LogEvent, source: string): void {
    if (closed.length < MOST_GROUPS) closed.push(groupOf(event, source, LENGTHS_MS[0]));
    else lost += 1;
  }

  function close(subject: string, group: Group): void {
    groups.delete(subject);
    if (countOf(group) <= group.toldCount) return;
    if (closed.length < MOST_GROUPS) closed.push(group);
    else lost += 1;
  }

  return {
    add: (event, source) => {
      const subject = subjectOf(event);
      const group = groups.get(subject);
      if (group === undefined) return open(event, source, LENGTHS_MS[0]);
      if (event.atMs - group.event.atMs <= -LENGTHS_MS[0]) return tellLate(event, source);
      if (event.atMs - group.event.atMs < group.lengthMs) {
        group.bySource.set(source, (group.bySource.get(source) ?? 0) + 1);
        group.untilMs = Math.max(group.untilMs, event.atMs);
        return;
      }
      close(subject, group);
      const goesOn = event.atMs - group.event.atMs < 2 * group.lengthMs;
      const longer = LENGTHS_MS.find((lengthMs) => lengthMs > group.lengthMs) ?? group.lengthMs;
      open(event, source, goesOn ? longer : LENGTHS_MS[0]);
    },

    take: (nowMs, most, ending = false) => {
      const told: ToldEvent[] = [];
      const tell = (group: Group) => {
        group.toldCount = countOf(group);
        told.push({
          key: group.key,
          event: group.event,
          untilMs: group.untilMs,
          count: group.toldCount,
        });
      };
      while (closed.length > 0 && told.length < most) {
        const [next] = closed.splice(0, 1);
        if (next !== undefined) tell(next);
      }
      for (const [subject, group] of groups) {
        const isOver = ending || nowMs - group.event.atMs >= group.lengthMs;
        const isDue = group.toldCount === 0 || (isOver && countOf(group) > group.toldCount);
        if (isDue && told.length < most) tell(group);
        // Kept a while after its end: what comes then goes on with it.
        if (nowMs - group.event.atMs >= 2 * group.lengthMs && countOf(group) === group.toldCount) {
          groups.delete(subject);
        }
      }
      return told.sort((a, b) => a.event.atMs - b.event.atMs);
    },

    lost: () => lost,
  };
}

function groupOf(event: LogEvent, source: string, lengthMs: number): Group {
  return {
    key: event.id,
    event,
    lengthMs,
    untilMs: event.atMs,
    bySource: new Map([[source, 1]]),
    toldCount: 0,
  };
}

function subjectOf({ patternId, subject }: LogEvent): string {
  return `${patternId} ${subject}`;
}

function countOf({ bySource }: Group): number {
  return Math.max(...bySource.values());
}
