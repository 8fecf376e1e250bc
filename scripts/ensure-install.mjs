import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = join("node_modules", ".plumbline-install");

function wantedStamp(root) {
  const hash = createHash("sha256");
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(root, name)));
  hash.update(process.version);
  return hash.digest("hex");
}

/**
 * Installs what package-lock.json says, once for each state of it. Uses Node.js alone, so that it runs before
 * anything is installed. Throws when npm fails; npm's own words are on the terminal by then.
 */
export function ensureInstall(root) {
  const stamp = wantedStamp(root);
  const stampPath = join(root, STAMP);
  if (existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp) return false;
  const result = spawnSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
  });
  if (result.status !== 0) throw new Error("npm ci failed: nothing was started. The reason stands above.");
  writeFileSync(stampPath, stamp);
  return true;
}

/** Throws with a clear sentence when this Node.js is older than the project needs. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Plumbline needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}
