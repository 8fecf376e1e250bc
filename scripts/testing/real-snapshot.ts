import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";

/** One snapshot of this very machine, as the built collector prints it. */
export function realSnapshot(): SnapshotInput {
  const printed = execFileSync(process.execPath, [join("dist", "collector.mjs"), "print"], {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(printed) as SnapshotInput;
}
