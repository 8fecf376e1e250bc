import { pino, type Logger } from "pino";
import { config } from "./config.ts";

let root: Logger | undefined;

/** A logger for one part of the server; JSON lines on standard output, level from the configuration. */
export function logger(part: string): Logger {
  root ??= pino({ level: config().logLevel, base: { pid: process.pid } });
  return root.child({ part });
}
