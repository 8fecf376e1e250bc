import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { startImport as startImportSchema, type HistoryImport } from "#lib/contracts/history-import.ts";
import { parseDurationMs, parseTimeRange } from "#lib/contracts/time-range.ts";
import { importLosses } from "#lib/domain/analysis/import-losses.ts";
import type { Context } from "#lib/server/services/context.ts";
import { findUnfinished } from "#lib/server/services/find-unfinished-import.ts";
import { runImport } from "#lib/server/services/run-import.ts";
import { startImport } from "#lib/server/services/start-import.ts";
import { runCommand, withContext } from "./command-context.ts";
import { formatImportProgress } from "./import-text.ts";

const runner = "command line";

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Given {
  from: string;
  to: string;
  match: string[];
  cluster: string;
  step?: number;
  nodeLabel?: string;
  tokenFile?: string;
  bearer?: string;
  fresh?: boolean;
}

function stepSeconds(text: string): number {
  const stepMs = parseDurationMs(text);
  if (stepMs === undefined) throw new InvalidArgumentError("Expected for instance 30s or 5m.");
  return stepMs / 1000;
}

/** `{job="node"}` as a person copies it, or without the braces. */
const matcher = (text: string, before: string[]) => [...before, text.trim().replace(/^\{(.*)\}$/s, "$1")];

async function begin(ctx: Context, url: string, given: Given): Promise<HistoryImport> {
  const range = parseTimeRange({ from: given.from, to: given.to }, { nowMs: ctx.now() });
  if (!range.ok) throw new Error(`--${range.path}: ${range.message}`);
  const input = startImportSchema.safeParse({
    ...{ url, from: range.fromMs, to: range.toMs, cluster: given.cluster, match: given.match },
    nodeLabel: given.nodeLabel,
    stepSeconds: given.step,
  });
  if (!input.success) {
    throw new Error(
      input.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
    );
  }
  const unfinished = given.fresh
    ? undefined
    : await findUnfinished({ ctx, input: { ...input.data, runner } });
  if (unfinished === undefined) return startImport({ ctx, input: { ...input.data, runner } });
  print(
    `Goes on with import ${unfinished.importId}, which had come to ${Math.floor(unfinished.doneShare * 100)} %. --fresh begins anew.`,
  );
  return unfinished;
}

function bearerOf({ tokenFile, bearer }: Given): string | undefined {
  return tokenFile === undefined ? bearer : readFileSync(tokenFile, "utf8").trim();
}

async function importHistory(url: string, given: Given): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  await withContext(async (ctx) => {
    const begun = await begin(ctx, url, given);
    const ended = await runImport({
      ctx,
      input: {
        ...{ runner, importId: begun.importId, bearer: bearerOf(given), signal: stop.signal },
        onProgress: (state) => print(formatImportProgress(state)),
      },
    });
    if (ended === undefined) {
      throw new Error(`Import ${begun.importId} is run by another process at the moment.`);
    }
    for (const line of importLosses(ended.counts)) print(line);
    if (ended.status === "failed") throw new Error(ended.error ?? "The import failed.");
    if (ended.status === "done") print(`Import ${ended.importId} is done.`);
    else print(`Import ${ended.importId} is ${ended.status}. The same command goes on with it.`);
  });
}

const program = new Command("npm run import:prometheus --")
  .description("Brings in the history that a Prometheus holds of its nodes.")
  .argument("<url>", "address of the Prometheus, up to where /api/v1 begins")
  .requiredOption("--from <time>", "now-30d, an ISO time, or epoch milliseconds")
  .option("--to <time>", "the same", "now")
  .option("--match <matcher>", 'may be repeated: job="node"', matcher, [])
  .option("--cluster <cluster>", "the cluster that the nodes belong to", "default")
  .option("--step <time>", "one sample each 5m, say; without it every sample", stepSeconds)
  .option("--node-label <label>", "the label that names the nodes; else node, else instance without its port")
  .option("--token-file <file>", "holds a bearer token for that Prometheus")
  .option("--bearer <token>", "the token itself; other users of this machine can see it")
  .option("--fresh", "begin anew, although the same import was left half-way")
  .action(importHistory);

await runCommand(program);
