import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Says that a data folder was made for a demonstration and may be emptied. */
const TAG = "demonstration-folder";
/** Since when the simulated fleets are told; there only once they are whole. */
const FILLED = "demonstration-filled";
const LOCK = "supervisor.lock";
/** After so long the stories lie too far back to be found at a glance. */
const FRESH_MS = 3 * 24 * 3_600_000;

/** The data folder of a demonstration. */
export interface DemoFolder {
  /** Whether the fleets are in it. */
  readonly isFilled: boolean;
  /** To be called once they are. */
  noteFilled(atMs: number): void;
}

/**
 * Makes a data folder ready for a demonstration: what is left of one that was broken off or is older than three days goes.
 * To be called while nothing runs on it.
 * @throws Error where the folder holds something that no demonstration put there: it is left alone.
 */
export function prepareDemoFolder(dataDir: string, nowMs: number): DemoFolder {
  const tag = join(dataDir, TAG);
  const others = () => readdirSync(dataDir).filter((name) => name !== TAG && name !== LOCK);
  if (!existsSync(tag)) {
    if (others().length > 0) {
      throw new Error(
        `${dataDir} holds data that are no demonstration's. Name another folder: PLUMBLINE_DEMO_DIR=…`,
      );
    }
    writeFileSync(tag, "Made by `npm run demo`, which empties this folder when it begins anew.\n");
  }
  const filled = join(dataDir, FILLED);
  const isFilled = existsSync(filled) && nowMs - Number(readFileSync(filled, "utf8")) < FRESH_MS;
  if (!isFilled) for (const name of others()) rmSync(join(dataDir, name), { recursive: true, force: true });
  return { isFilled, noteFilled: (atMs) => writeFileSync(filled, String(atMs)) };
}
