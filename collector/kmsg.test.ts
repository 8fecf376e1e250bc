import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createKmsgReader, parseKmsgRecord } from "./kmsg.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("parseKmsgRecord", () => {
  it("reads a record as the kernel prints it, without its dictionary", () => {
    expect(
      parseKmsgRecord(
        "6,339,5140900,-;NET: Registered protocol\n SUBSYSTEM=pci\n DEVICE=+pci:0000:00:1f.2\n",
      ),
    ).toEqual({ sequence: 339, uptimeMs: 5140, text: "NET: Registered protocol", isOfProgram: false });
    expect(parseKmsgRecord("4,1234,98765432109,c,caller=T2211;TCP: out of memory\\x09now\n")).toEqual({
      sequence: 1234,
      uptimeMs: 98_765_432,
      text: "TCP: out of memory now",
      isOfProgram: false,
    });
    expect(parseKmsgRecord("12,7,1000,-;myapp: TCP: out of memory\n")?.isOfProgram).toBe(true);
  });

  it.each(["", "no record", "6,339;x", "6,a,1,-;x"])("takes %j for none", (text) => {
    expect(parseKmsgRecord(text)).toBeUndefined();
  });
});

describe("createKmsgReader", () => {
  it("says of a log that is not there, and of one that is no log, that it reads nothing", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "kmsg-"));
    folders.push(folder);
    expect(createKmsgReader(path.join(folder, "none"), undefined).read()).toMatchObject({
      records: [],
      report: { status: "absent" },
    });
    expect(createKmsgReader(folder, undefined).read()).toMatchObject({
      records: [],
      report: { status: "malformed" },
    });
  });

  it("takes up after the record that was read last, and counts what was overwritten meanwhile", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "kmsg-"));
    folders.push(folder);
    const file = path.join(folder, "kmsg");
    writeFileSync(file, "6,41,1000000,-;old\n");
    expect(createKmsgReader(file, 41).read().records).toEqual([]);
    writeFileSync(file, "6,45,1000000,-;new\n");
    expect(createKmsgReader(file, 41).read()).toMatchObject({
      records: [{ sequence: 45, text: "new" }],
      report: { status: "ok", detail: "3 records were overwritten before they could be read" },
    });
  });
});
