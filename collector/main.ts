import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

import { ConfigError, parseConfig, readEnvironment, USAGE, type Command } from "./config.ts";
import { logToStderr, messageOf } from "./log.ts";
import { readInputKind } from "./read-sources.ts";
import { createSampler } from "./sampler.ts";
import { COLLECTOR_VERSION, readSelf } from "./self.ts";
import { createVersionReader } from "./versions.ts";

/** 64 is EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;

async function print(config: Extract<Command, { command: "print" }>["config"]): Promise<number> {
  const versions = createVersionReader(config.places.root, COLLECTOR_VERSION);
  await versions.refresh();
  const sampler = createSampler(config, { now: Date.now, monotonicMs: () => performance.now() });
  const { snapshot, sources } = sampler.sample({ versions: versions.current(), self: readSelf() });
  process.stdout.write(`${JSON.stringify(snapshot ?? { sources }, undefined, 2)}\n`);
  if (snapshot !== undefined) return 0;
  logToStderr("error", "no snapshot: a source without which it means nothing cannot be read");
  return 1;
}

/** sysexits.h has no code for a text that says nothing; 2 is what grep and diff use for trouble. */
const EXIT_NOTHING_RECOGNISED = 2;

async function read(file: string, json: boolean): Promise<number> {
  const text = await readText(file);
  if (text === undefined) return EXIT_NOTHING_RECOGNISED;
  const [{ readDump }, { readingToJson, readingToText }] = await Promise.all([
    import("#lib/domain/dumps/read-dump.ts"),
    import("./print-reading.ts"),
  ]);
  const reading = readDump(text);
  process.stdout.write(json ? readingToJson(reading) : readingToText(reading));
  return reading.recognised.length > 0 ? 0 : EXIT_NOTHING_RECOGNISED;
}

/**
 * The text of a file, or of standard input for `-`; `undefined` when there is none to read, which is said.
 * A script must not take a mistyped name for a finding.
 */
async function readText(file: string): Promise<string | undefined> {
  try {
    return file === "-" ? await readStream(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    process.stderr.write(`plumbline-collector: ${file} cannot be read: ${messageOf(error)}\n`);
    return undefined;
  }
}

/** A pipe without a writer that says something is no text to read; so long a reader waits before this machine is read. */
const FIRST_BYTE_MS = 3000;

/** Text from standard input when something is there; `undefined` at a terminal, a closed input, or an empty one. */
async function offeredText(): Promise<string | undefined> {
  const { isFile, isPipe } = readInputKind();
  if (isFile) return readStream(process.stdin);
  if (!isPipe) return undefined;
  const first = await Promise.race([
    once(process.stdin, "readable").then(() => true),
    once(process.stdin, "end").then(() => false),
    wait(FIRST_BYTE_MS, false, { ref: false }),
  ]);
  const text = first ? await readStream(process.stdin) : "";
  process.stdin.destroy();
  return text === "" ? undefined : text;
}

async function explain({
  file,
  json,
  overMs,
  config,
}: Extract<Command, { command: "explain" }>): Promise<number> {
  const [{ explainDump, hasWarning }, { explanationToText }] = await Promise.all([
    import("#lib/domain/diagnosis/explain.ts"),
    import("#lib/domain/diagnosis/explanation-text.ts"),
  ]);
  const given = file === undefined ? undefined : await readText(file);
  if (file !== undefined && given === undefined) return EXIT_NOTHING_RECOGNISED;
  const text = given ?? (overMs === undefined ? await offeredText() : undefined);
  const explanation =
    text === undefined
      ? await (await import("./explain-machine.ts")).explainMachine(config, overMs)
      : explainDump(text);
  if (explanation === undefined) {
    logToStderr("error", "nothing to explain: a source without which it means nothing cannot be read");
    return EXIT_NOTHING_RECOGNISED;
  }
  process.stdout.write(
    json ? `${JSON.stringify(explanation, undefined, 2)}\n` : explanationToText(explanation),
  );
  if (explanation.recognised.length === 0) return EXIT_NOTHING_RECOGNISED;
  return hasWarning(explanation) ? 1 : 0;
}

/** The first signal ends the run in order; a second one ends it at once. */
function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      controller.abort();
      process.once(signal, () => process.exit(1));
    });
  }
  return controller.signal;
}

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseConfig(args, readEnvironment());
  switch (parsed.command) {
    case "help":
      process.stdout.write(USAGE);
      return 0;
    case "version":
      process.stdout.write(`${COLLECTOR_VERSION}\n`);
      return 0;
    case "print":
      return print(parsed.config);
    case "read":
      return read(parsed.file, parsed.json);
    case "explain":
      return explain(parsed);
    case "run": {
      const { run } = await import("./run.ts");
      await run(parsed.config, logToStderr, stopOnSignal());
      return 0;
    }
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof ConfigError) {
    process.stderr.write(`plumbline-collector: ${error.message}\n\n${USAGE}`);
    process.exitCode = EXIT_USAGE;
  } else {
    logToStderr("error", "collector ends", { reason: messageOf(error) });
    process.exitCode = 1;
  }
}
