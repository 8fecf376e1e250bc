/**
 * `npm run up`: from a fresh clone to a running Plumbline in one command. Installs when package-lock.json changed,
 * builds when sources changed, then becomes the supervisor (processes/up.ts). Uses Node.js alone until then.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureInstall, requireNode } from "./ensure-install.mjs";
import { runningServer } from "./running-server.mjs";
import { isBuilt } from "./source-hash.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function say(text) {
  console.log(`plumbline: ${text}`);
}

/** True when everything is in place to start. */
function prepare() {
  requireNode();
  if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));
  const running = runningServer(process.env);
  if (running !== undefined) {
    say(`already running (process ${running.pid})${running.note ? `: ${running.note}` : ", still starting"}`);
    return false;
  }
  const startedMs = Date.now();
  const seconds = () => `${((Date.now() - startedMs) / 1000).toFixed(0)} s`;
  if (ensureInstall(root)) say(`installed packages (${seconds()})`);
  if (!isBuilt(root)) {
    say("building, which is done once for each state of the sources");
    const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], {
      cwd: root,
      stdio: "inherit",
    });
    if (built.status !== 0)
      throw new Error("The build failed: nothing was started. The reason stands above.");
    say(`built (${seconds()})`);
  }
  return true;
}

try {
  if (prepare()) {
    process.env.NODE_ENV = "production";
    await import(pathToFileURL(join(root, "dist/up.mjs")).href);
  } else process.exitCode = 1;
} catch (error) {
  console.error(`plumbline: ${error.message}`);
  process.exitCode = 1;
}
