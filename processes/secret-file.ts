import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Content of a secret file without white space at its ends; undefined when there is none. */
export function readSecretFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a secret whole or not at all, readable by its owner alone. */
export function writeSecretFile(path: string, secret: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
