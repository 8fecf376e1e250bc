import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { parseOsRelease, parseVersionOutput } from "#lib/domain/snapshot/version-texts.ts";
import { readSource } from "./read-sources.ts";

/** Programs whose version says whether a known leak is in them. */
const PROGRAMS = ["crio", "containerd", "dockerd", "podman", "runc", "crun", "conmon", "kubelet"] as const;
const DIRECTORIES = [
  "usr/bin",
  "usr/local/bin",
  "usr/sbin",
  "usr/local/sbin",
  "usr/libexec/crio",
  "usr/libexec/podman",
  "opt/bin",
  "var/lib/rancher/rke2/bin",
];
const TIMEOUT_MS = 5000;
/** The types of Next.js ask for NODE_ENV in every environment; a foreign program gets nothing at all. */
const EMPTY_ENVIRONMENT = {} as NodeJS.ProcessEnv;

/** What is known of each program's file, so that a program is asked again only when its file changed. */
interface Asked {
  stamp: string;
  version: string;
}

/** Versions of what runs containers on this node, and of the operating system. */
export interface VersionReader {
  /** What was found at the last refresh. */
  current: () => Record<string, string>;
  /**
   * Looks for new and changed programs and asks those. A program is asked with `--version` and 5 s of time; it runs as
   * the collector, with an empty environment, and is ended when `stop` fires. Never throws.
   */
  refresh: (stop?: AbortSignal) => Promise<void>;
}

/** `root` is where the node's own file system is seen. */
export function createVersionReader(root: string, ownVersion: string): VersionReader {
  const asked = new Map<string, Asked>();
  let current: Record<string, string> = { collector: ownVersion };

  return {
    current: () => current,
    refresh: async (stop) => {
      const found: Record<string, string> = { collector: ownVersion };
      const os = readOsName(root);
      if (os !== undefined) found.os = os;
      for (const program of PROGRAMS) {
        const version = await versionOf(root, program, asked, stop);
        if (stop?.aborted === true) return;
        if (version !== undefined) found[program] = version;
      }
      current = found;
    },
  };
}

async function versionOf(
  root: string,
  program: string,
  asked: Map<string, Asked>,
  stop: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const directory of DIRECTORIES) {
    const file = path.join(root, directory, program);
    const stamp = stampOf(file);
    if (stamp === undefined) continue;
    const before = asked.get(program);
    if (before?.stamp === stamp) return before.version;
    const version = parseVersionOutput(await run(file, stop));
    // One that did not answer, perhaps for want of time, is asked again at the next refresh.
    if (version !== undefined) asked.set(program, { stamp, version });
    return version;
  }
  asked.delete(program);
  return undefined;
}

function stampOf(file: string): string | undefined {
  try {
    const { mtimeMs, size, ino, mode } = statSync(file);
    return (mode & 0o111) === 0 ? undefined : `${file} ${ino} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

function run(file: string, stop: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      file,
      ["--version"],
      {
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
        maxBuffer: 64 * 1024,
        env: EMPTY_ENVIRONMENT,
        cwd: "/",
        ...(stop && { signal: stop }),
      },
      (error, stdout) => resolve(error ? "" : stdout),
    );
  });
}

function readOsName(root: string): string | undefined {
  for (const file of ["etc/os-release", "usr/lib/os-release"]) {
    const { text } = readSource(path.join(root, file), 64 * 1024);
    const name = text === undefined ? undefined : parseOsRelease(text);
    if (name !== undefined) return name;
  }
  return undefined;
}
