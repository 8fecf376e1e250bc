import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { shortenChildLine } from "./log-line.ts";

export interface ChildOptions {
  name: string;
  /** Program and arguments; asked anew at each start, so that a changed address reaches the child. */
  command: () => { file: string; args: string[]; env: NodeJS.ProcessEnv };
  log: (line: string) => void;
  /** Called with each new pid, and with undefined when the child ended. */
  onPid?: (pid: number | undefined) => void;
  /** First and longest wait before a restart; a child that ran `calmMs` starts at the first again. */
  backoff?: { firstMs: number; longestMs: number; calmMs: number };
}

export interface SupervisedChild {
  name: string;
  pid(): number | undefined;
  /** Ends the child so that it starts again at once, for instance with a new address of the database. */
  restart(): void;
  /** SIGTERM, after `graceMs` SIGKILL; resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

const usualBackoff = { firstMs: 250, longestMs: 30_000, calmMs: 60_000 };

/** Wait before the next start, in ms, after `failures` starts in a row that did not last. */
export function backoffMs(
  failures: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
}

/** Keeps one program running until told to stop, and says when and why it starts it again. */
export function superviseChild(options: ChildOptions): SupervisedChild {
  const { name, log } = options;
  const backoff = options.backoff ?? usualBackoff;
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let asked = false;

  const once = async (): Promise<string> => {
    const { file, args, env } = options.command();
    // A session of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops the parts in order.
    const started = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true });
    child = started;
    options.onPid?.(started.pid);
    for (const stream of [started.stdout, started.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        const short = shortenChildLine(line);
        if (short !== undefined) log(short);
      });
    }
    return new Promise((done) => {
      started.once("error", (error) => done(error.message));
      started.once("exit", (code, signal) => done(signal === null ? `exit code ${code}` : signal));
    });
  };

  const loop = async (): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const startedAtMs = Date.now();
      const reason = await once();
      child = undefined;
      options.onPid?.(undefined);
      if (stopping.signal.aborted) return;
      if (asked) {
        asked = false;
        log("starting again");
        continue;
      }
      if (Date.now() - startedAtMs >= backoff.calmMs) failures = 0;
      const waitMs = backoffMs(failures, backoff);
      failures += 1;
      log(`ended (${reason}), starting again in ${(waitMs / 1000).toFixed(waitMs < 1000 ? 2 : 0)} s`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();

  return {
    name,
    pid: () => child?.pid,
    restart() {
      asked = child !== undefined;
      child?.kill("SIGTERM");
    },
    async stop(graceMs) {
      stopping.abort();
      child?.kill("SIGTERM");
      const hard = setTimeout(() => {
        log(`did not stop within ${graceMs / 1000} s, killed`);
        child?.kill("SIGKILL");
      }, graceMs);
      await ended;
      clearTimeout(hard);
    },
  };
}
