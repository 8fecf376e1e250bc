import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A file that a node begins with, as the server hands it out. It holds nothing private. */
export interface CollectorFile {
  /** Where it answers: `/collector.sh`. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Of the body, in hexadecimal digits: what `sha256sum` prints. */
  readonly sha256: string;
}

/** Paths and where the files lie below the program's folder, once it is built. */
const FILES = [
  { path: "/collector.sh", file: "collector/plumbline-collector.sh", contentType: "text/x-shellscript" },
  { path: "/collector.js", file: "dist/collector.mjs", contentType: "text/javascript" },
  {
    path: "/collector-sh.service",
    file: "deploy/systemd/plumbline-collector-sh.service",
    contentType: "text/plain",
  },
  {
    path: "/collector.service",
    file: "deploy/systemd/plumbline-collector.service",
    contentType: "text/plain",
  },
] as const;

const holderKey = Symbol.for("plumbline.collector-files");
const holder = globalThis as typeof globalThis & { [holderKey]?: readonly CollectorFile[] };

/**
 * Reads the files once at the start, so that a path and its digest never disagree. The entry and the pages are bundled apart and
 * share them through globalThis.
 * @throws Error when the program is not built.
 */
export function loadCollectorFiles(root: string): readonly CollectorFile[] {
  return (holder[holderKey] = FILES.map(({ path, file, contentType }) => {
    const body = readFileSync(join(root, file));
    return { path, contentType, body, sha256: createHash("sha256").update(body).digest("hex") };
  }));
}

/** The files as they were read at the start; none where no entry read them. */
export function collectorFiles(): readonly CollectorFile[] {
  return holder[holderKey] ?? [];
}
