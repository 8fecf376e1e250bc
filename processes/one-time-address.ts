import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chownSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the one-time address lies under the server's own. */
export const ONE_TIME_PATH = "/open/";

const file = "one-time-code";
const digest = (code: string): Buffer => createHash("sha256").update(code).digest();

/**
 * Makes a new one-time code (192 random bits); an older one that was never used is void. Only its hash is kept. Made by root
 * beside a server that runs as somebody else, it belongs to whoever owns the folder: the server must read it.
 */
export function createOneTimeCode(dataDir: string): string {
  const code = randomBytes(24).toString("base64url");
  const draft = join(dataDir, `${file}.${process.pid}`);
  writeFileSync(draft, digest(code).toString("hex"), { mode: 0o600 });
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dataDir);
    chownSync(draft, uid, gid);
  }
  renameSync(draft, join(dataDir, file));
  return code;
}

/** Whether the code is the current one; it is used up by the answer true. Of several processes one gets it. */
export function redeemOneTimeCode(dataDir: string, code: string): boolean {
  const path = join(dataDir, file);
  try {
    const expected = Buffer.from(readFileSync(path, "utf8"), "hex");
    const given = digest(code);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
    unlinkSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
