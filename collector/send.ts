import { interpretAnswer } from "./interpret-answer.ts";
import { messageOf, type Log } from "./log.ts";
import type { Answer } from "./post-batch.ts";
import type { Batch, Spool } from "./spool.ts";

export interface SenderOptions {
  spool: Spool;
  /** Sends lines with a token; rejects when no answer came. */
  post: (
    lines: readonly string[],
    token: string | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<Answer>;
  /** Reads the token anew; it may have been replaced on disk. */
  readToken: () => string | undefined;
  log: Log;
  now: () => number;
  /** Between 0 and 1. */
  random: () => number;
}

/** What one push came to. */
export interface Push {
  /** Earliest time for the next attempt; 0 when the server is well. */
  notBeforeMs: number;
}

export interface Sender {
  /**
   * Sends what waits, oldest first, until nothing is left or the server cannot take more. Does nothing before the time
   * that backing off or the server's Retry-After asks for, unless `evenIfWaiting`. Never throws.
   */
  push: (options?: { signal?: AbortSignal; evenIfWaiting?: boolean }) => Promise<Push>;
  /** Snapshots the server refused for ever, since the start. */
  refusedSnapshots: () => number;
}

const FIRST_DELAY_MS = 2000;
const LONGEST_DELAY_MS = 5 * 60_000;
/** A snapshot from the future is tried again after this. */
const CLOCK_AHEAD_MS = 60_000;

/**
 * The delay before attempt `failures + 1`: anything between 0 and 2 s, 4 s, 8 s ... 5 min. The whole span is random, so
 * that a fleet that lost its server together does not come back together.
 */
export function backoffMs(failures: number, random: () => number): number {
  return random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 20));
}

/** Makes the part that empties the spool into the server. */
export function createSender({ spool, post, readToken, log, now, random }: SenderOptions): Sender {
  let failures = 0;
  let notBeforeMs = 0;
  let token = readToken();
  let trouble: string | undefined;
  let refusedSnapshots = 0;

  function reportTrouble(kind: string, reason: string): void {
    // The same trouble is said once, not every few seconds of an outage.
    if (trouble === kind) return;
    trouble = kind;
    log("warn", kind, { reason, spooledBytes: spool.state().bytes });
  }

  function backOff(afterMs = 0): void {
    const delay = backoffMs(failures, random);
    failures += 1;
    // What the server asks for is the least; the jitter comes on top, or all would return in the same second.
    notBeforeMs = now() + (afterMs > 0 ? afterMs + Math.min(delay, afterMs) : delay);
  }

  /** Sends some lines of a batch. Those to keep, or `undefined` when sending has to stop for now. */
  async function deliver(
    lines: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ keep: string[]; goOn: boolean }> {
    let answer: Answer;
    try {
      answer = await post(lines, token, signal);
    } catch (error) {
      // Cut short by ourselves: that says nothing about the server.
      if (signal?.aborted === true) return { keep: [...lines], goOn: false };
      reportTrouble("server cannot be reached; keeping snapshots", messageOf(error));
      backOff();
      return { keep: [...lines], goOn: false };
    }
    const outcome = interpretAnswer(answer, lines.length, now());
    switch (outcome.kind) {
      case "settled": {
        for (const { code, detail } of outcome.refused) {
          refusedSnapshots += 1;
          log("warn", "server refused a snapshot for good", { code, detail, refusedSnapshots });
        }
        const keep = outcome.keep.flatMap((index) => lines[index] ?? []);
        if (keep.length > 0) {
          reportTrouble(
            "this node's clock runs ahead of the server's; holding snapshots back",
            `${keep.length} held`,
          );
        } else if (trouble !== undefined) {
          log("info", "server takes snapshots again");
          trouble = undefined;
        }
        failures = 0;
        notBeforeMs = 0;
        return { keep, goOn: true };
      }
      case "split": {
        const middle = Math.ceil(lines.length / 2);
        const first = await deliver(lines.slice(0, middle), signal);
        if (!first.goOn) return { keep: [...first.keep, ...lines.slice(middle)], goOn: false };
        const second = await deliver(lines.slice(middle), signal);
        return { keep: [...first.keep, ...second.keep], goOn: second.goOn };
      }
      case "unauthorised": {
        const fresh = readToken();
        if (fresh !== token) {
          token = fresh;
          log("info", "token was replaced; trying again");
          return deliver(lines, signal);
        }
        reportTrouble(
          `server does not take this token (${outcome.status}); keeping snapshots`,
          outcome.reason,
        );
        backOff();
        return { keep: [...lines], goOn: false };
      }
      case "retry":
        reportTrouble("server does not take snapshots now; keeping them", outcome.reason);
        backOff(outcome.afterMs);
        return { keep: [...lines], goOn: false };
    }
  }

  return {
    refusedSnapshots: () => refusedSnapshots,
    push: async ({ signal, evenIfWaiting = false } = {}) => {
      if (!evenIfWaiting && now() < notBeforeMs) return { notBeforeMs };
      for (let batch = take(); batch !== undefined; batch = take()) {
        const { keep, goOn } = await deliver(batch.lines, signal);
        spool.settle(batch, keep, goOn && keep.length > 0 ? now() + CLOCK_AHEAD_MS : 0);
        if (!goOn || signal?.aborted === true) break;
      }
      return { notBeforeMs };
    },
  };

  function take(): Batch | undefined {
    return spool.take(now());
  }
}
