/**
 * `npm run demo`: `npm run up` on simulated fleets, in a data folder of its own: no real data are read or written.
 * `--fresh` begins anew. PLUMBLINE_DEMO_DIR and PLUMBLINE_PORT say where.
 */
import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runningServer } from "./running-server.mjs";

const known = new Set(["--fresh"]);
const wrong = process.argv.slice(2).find((each) => !known.has(each));
const dataDir =
  process.env.PLUMBLINE_DEMO_DIR ||
  (process.getuid?.() === 0 ? "/var/lib/plumbline-demo" : join(homedir(), ".local/share/plumbline-demo"));
const demo = {
  PLUMBLINE_DEMO: process.env.PLUMBLINE_DEMO || "full",
  PLUMBLINE_DATA_DIR: dataDir,
  PLUMBLINE_LOCAL_COLLECTOR: "off",
  // Empty counts as not set, and keeps what an .env file says of the real server away.
  DATABASE_URL: "",
  PLUMBLINE_PORT: process.env.PLUMBLINE_PORT ?? "",
};
if (wrong !== undefined) {
  console.error(`plumbline: ${wrong} is not known; npm run demo [-- --fresh]`);
  process.exitCode = 2;
} else {
  Object.assign(process.env, demo);
  const filled = join(dataDir, "demonstration-filled");
  if (process.argv.includes("--fresh") && existsSync(filled) && runningServer(process.env) === undefined) {
    rmSync(filled);
  }
  await import("./up.mjs");
}
