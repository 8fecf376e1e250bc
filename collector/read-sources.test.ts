import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countEntries, explainFailure, readSource } from "./read-sources.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), "read-sources-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("readSource", () => {
  it("reads a kernel file whole although its size is 0", () => {
    const { status, text, readMs } = readSource("/proc/meminfo");
    expect(status).toBe("ok");
    expect(text).toMatch(/^MemTotal: +\d+ kB\n[^]*\n$/);
    expect(readMs).toBeGreaterThan(0);
  });

  it("reads a file larger than its buffer", () => {
    const text = "0123456789abcdef".repeat(40_000);
    writeFileSync(path.join(directory, "large"), text);
    expect(readSource(path.join(directory, "large")).text).toBe(text);
    expect(readSource("/proc/uptime").text?.length).toBeLessThan(40);
  });

  it("says when it cut a file, also at exactly one byte too many", () => {
    const file = path.join(directory, "file");
    writeFileSync(file, "x".repeat(101));
    expect(readSource(file, 100)).toMatchObject({ status: "truncated", text: "x".repeat(100) });
    expect(readSource(file, 101)).toMatchObject({ status: "ok", text: "x".repeat(101) });
  });

  it("tells what is not there from what is broken", () => {
    writeFileSync(path.join(directory, "file"), "");
    expect(readSource(path.join(directory, "none"))).toMatchObject({ status: "absent" });
    expect(readSource(path.join(directory, "file", "below"))).toMatchObject({ status: "absent" });
    expect(readSource(directory)).toMatchObject({
      status: "malformed",
      detail: expect.stringContaining("EISDIR") as string,
    });
    expect(readSource(path.join(directory, "file"))).toMatchObject({ status: "ok", text: "" });
  });
});

describe("explainFailure", () => {
  it.each(["EACCES", "EPERM"])("calls %s denied", (code) => {
    expect(explainFailure(Object.assign(new Error(code), { code }))).toEqual({ status: "denied" });
  });

  it("keeps what it does not know as a detail", () => {
    expect(explainFailure("odd")).toEqual({ status: "malformed", detail: "odd" });
  });
});

describe("countEntries", () => {
  it("counts files and directories alike, and stops at the bound", () => {
    for (let index = 0; index < 30; index += 1) writeFileSync(path.join(directory, `f${index}`), "");
    mkdirSync(path.join(directory, "d"));
    expect(countEntries(directory, 100)).toEqual({ files: 31, atLeast: false });
    expect(countEntries(directory, 10)).toEqual({ files: 10, atLeast: true });
  });
});
