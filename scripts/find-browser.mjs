import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const INSTALLED_NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const INSTALL_TIMEOUT_MS = 5 * 60_000;

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findOnPath() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of INSTALLED_NAMES) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/** Chromium that `playwright install` has put into its cache earlier. */
function findPlaywrightDownload() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), ".cache", "ms-playwright");
  if (!existsSync(cache)) return undefined;
  const builds = readdirSync(cache)
    .filter((name) => name.startsWith("chromium-"))
    .sort()
    .reverse();
  for (const build of builds) {
    for (const inner of ["chrome-linux64/chrome", "chrome-linux/chrome"]) {
      const path = join(cache, build, inner);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function run(command, args) {
  const result = spawnSync(command, args, {
    encoding: "utf8",
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (result.status === 0) return undefined;
  const said = (result.stderr ?? "").trim().split("\n").slice(-1)[0] ?? "";
  return `${command} ${args.join(" ")}: ${result.error?.message ?? (said || `exit ${result.status}`)}`;
}

/**
 * Finds a Chromium for the browser stories, or installs one: CHROMIUM_PATH, one on PATH, Playwright's cache, apt as
 * root, Playwright's download. Returns `{ path }` or `{ reasons }` with what was tried.
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return isExecutable(named)
      ? { path: named }
      : { reasons: [`CHROMIUM_PATH names ${named}, which cannot be run`] };
  }
  const present = findOnPath() ?? findPlaywrightDownload();
  if (present) return { path: present };

  const reasons = ["no chromium on PATH and none in Playwright's cache"];
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const failed = run("apt-get", ["update", "-qq"]) ?? run("apt-get", ["install", "-y", "-qq", "chromium"]);
    const installed = findOnPath();
    if (installed) return { path: installed };
    reasons.push(failed ?? "apt installed no chromium");
  } else {
    reasons.push("not root, or no apt: chromium cannot be installed");
  }
  const failed = run("npx", ["playwright", "install", "chromium"]);
  const downloaded = findPlaywrightDownload();
  if (downloaded) return { path: downloaded };
  reasons.push(failed ?? "Playwright's download brought no chromium");
  return { reasons };
}
