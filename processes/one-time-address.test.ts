import { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOneTimeCode, redeemOneTimeCode } from "./one-time-address.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "plumbline-once-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("a one-time code", () => {
  it("opens once", () => {
    const code = createOneTimeCode(folder);
    expect(redeemOneTimeCode(folder, "wrong")).toBe(false);
    expect(redeemOneTimeCode(folder, code)).toBe(true);
    expect(redeemOneTimeCode(folder, code)).toBe(false);
  });

  it("is void once a newer one was made", () => {
    const first = createOneTimeCode(folder);
    const second = createOneTimeCode(folder);
    expect(redeemOneTimeCode(folder, first)).toBe(false);
    expect(redeemOneTimeCode(folder, second)).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)("made by root belongs to whom the folder belongs", () => {
    chownSync(folder, 65_534, 65_534);
    createOneTimeCode(folder);
    const { uid, gid } = statSync(join(folder, "one-time-code"));
    expect([uid, gid]).toEqual([65_534, 65_534]);
  });

  it("is kept as a hash that others cannot read", () => {
    const code = createOneTimeCode(folder);
    const path = join(folder, "one-time-code");
    expect(readFileSync(path, "utf8")).not.toContain(code);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
