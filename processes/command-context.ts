import type { Command } from "commander";
import { AppError } from "#lib/errors.ts";
import { config } from "#lib/server/config.ts";
import { closeDatabase, openDatabase } from "#lib/server/data/client.ts";
import type { Context } from "#lib/server/services/context.ts";
import { defaultDataDir, findEmbeddedDatabaseUrl } from "./database.ts";

/** The database that the running server uses. @throws Error that says how to name it. */
function databaseUrl(): string {
  const { databaseUrl: given, dataDir } = config();
  if (given !== undefined) return given;
  const folder = dataDir ?? defaultDataDir();
  let found: string | undefined;
  try {
    found = findEmbeddedDatabaseUrl(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new Error(
      `The files in ${folder} belong to another user: run this as the user that runs Plumbline.`,
      {
        cause: error,
      },
    );
  }
  if (found !== undefined) return found;
  throw new Error(
    `No database runs on ${folder}. Start Plumbline (npm run up), or set DATABASE_URL or PLUMBLINE_DATA_DIR as for the server.`,
  );
}

/**
 * Runs a command beside the server, on its database.
 * @throws Error that says how to name the database when none is found.
 */
export async function withContext(act: (ctx: Context) => Promise<void>): Promise<void> {
  const db = openDatabase({ url: databaseUrl(), poolSize: 2 });
  try {
    await act({ db, actor: { kind: "local", name: "command line" }, now: () => Date.now() });
  } finally {
    await closeDatabase(db);
  }
}

/** Runs a command of the terminal; why it could not do what it should is said in words, and in its exit code. */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.parseAsync();
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

function explainFailure(error: unknown): string {
  if (error instanceof AppError) {
    const issues = error.issues?.map(({ path, message }) => `\n  ${path}: ${message}`).join("") ?? "";
    return `${error.message}${issues}`;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "P2021" || code === "42P01")
    return "The database has no tables of Plumbline yet: start it once (npm run up).";
  return message;
}
