import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines } from "./scan-lines.ts";

/** Keys and keyrings of one user. */
export interface KeyUser {
  readonly uid: number;
  /** References to the record itself. */
  readonly usage: number;
  readonly nkeys: number;
  /** Of them instantiated. */
  readonly nikeys: number;
  /** Keys and bytes that count against the quota, and the quota. */
  readonly qnkeys: number;
  readonly maxkeys: number;
  readonly qnbytes: number;
  readonly maxbytes: number;
}

const ROW = /^(\d+): +(\d+) (\d+)\/(\d+) (\d+)\/(\d+) (\d+)\/(\d+)$/;

/**
 * /proc/key-users. Kernel document: keyrings(7), Documentation/security/keys/core.rst; since 2.6.10 with CONFIG_KEYS.
 * World-readable and complete, unlike /proc/keys, which lists only what the reader may view.
 */
export function parseKeyUsers(text: string, path = "/proc/key-users"): Parsed<readonly KeyUser[]> {
  const warnings = collectWarnings(path);
  const users: KeyUser[] = [];
  for (const line of scanLines(text)) {
    const row = line.text.trim();
    if (row === "") continue;
    const [uid, usage, nkeys, nikeys, qnkeys, maxkeys, qnbytes, maxbytes] = (
      line.terminated ? (ROW.exec(row)?.slice(1) ?? []) : []
    ).map(parseCount);
    if (
      uid === undefined ||
      usage === undefined ||
      nkeys === undefined ||
      nikeys === undefined ||
      qnkeys === undefined ||
      maxkeys === undefined ||
      qnbytes === undefined ||
      maxbytes === undefined
    ) {
      warnings.add(line, "`uid: usage nkeys/nikeys qnkeys/maxkeys qnbytes/maxbytes`");
    } else users.push({ uid, usage, nkeys, nikeys, qnkeys, maxkeys, qnbytes, maxbytes });
  }
  return { value: users, warnings: warnings.list };
}
