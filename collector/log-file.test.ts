import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogFollower, type LogFollower } from "./log-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "log-file-"));
  file = path.join(folder, "messages");
});
afterEach(() => rmSync(folder, { recursive: true }));

const texts = (follower: LogFollower) => follower.read().lines.map(({ text }) => text);

describe("createLogFollower", () => {
  it("begins at the end and gives each whole line once", () => {
    writeFileSync(file, "before\n");
    const follower = createLogFollower(file, undefined);
    expect(texts(follower)).toEqual([]);
    appendFileSync(file, "one\ntw");
    expect(texts(follower)).toEqual(["one"]);
    appendFileSync(file, "o\n");
    expect(texts(follower)).toEqual(["two"]);
    expect(texts(follower)).toEqual([]);
    follower.close();
  });

  it("says that a file is not there, and reads one that appears from its begin", () => {
    const follower = createLogFollower(file, undefined);
    expect(follower.read()).toMatchObject({ lines: [], report: { status: "absent" } });
    writeFileSync(file, "first\n");
    expect(texts(follower)).toEqual(["first"]);
    follower.close();
  });

  it("follows a file that is renamed away, to its end, and then the new one", () => {
    writeFileSync(file, "");
    const follower = createLogFollower(file, undefined);
    texts(follower);
    appendFileSync(file, "last of the old\n");
    renameSync(file, `${file}.1`);
    writeFileSync(file, "first of the new\n");
    expect(texts(follower)).toEqual(["last of the old", "first of the new"]);
    follower.close();
  });

  it("follows a file that is copied and cut", () => {
    writeFileSync(file, "a long line that was there before\n");
    const follower = createLogFollower(file, undefined);
    texts(follower);
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
    appendFileSync(file, "new\n");
    expect(texts(follower)).toEqual(["new"]);
    follower.close();
  });

  it("goes on after a restart where it stopped, also when the file was rotated meanwhile", () => {
    writeFileSync(file, "");
    const first = createLogFollower(file, undefined);
    texts(first);
    appendFileSync(file, "one\npart");
    expect(texts(first)).toEqual(["one"]);
    const saved = first.position();
    first.close();

    const second = createLogFollower(file, saved);
    expect(texts(second)).toEqual([]);
    appendFileSync(file, "ial\n");
    expect(texts(second)).toEqual(["partial"]);
    const later = second.position();
    second.close();

    appendFileSync(file, "while away\n");
    renameSync(file, `${file}.1`);
    writeFileSync(file, "and after\n");
    const third = createLogFollower(file, later);
    expect(texts(third)).toEqual(["while away", "and after"]);
    third.close();
  });

  it("leaves out what it cannot catch up with, and says so", () => {
    writeFileSync(file, "");
    const follower = createLogFollower(file, undefined);
    texts(follower);
    appendFileSync(
      file,
      "x"
        .repeat(1023)
        .concat("\n")
        .repeat(20 * 1024),
    );
    appendFileSync(file, "the end\n");
    const { lines, report } = follower.read();
    expect(lines.at(-1)?.text).toBe("the end");
    expect(report).toMatchObject({
      status: "truncated",
      detail: expect.stringContaining("left out") as string,
    });
    follower.close();
  });

  it("survives a line without end", () => {
    writeFileSync(file, "");
    const follower = createLogFollower(file, undefined);
    texts(follower);
    appendFileSync(file, "x".repeat(3 * 1024 * 1024));
    texts(follower);
    appendFileSync(file, "\nnext\n");
    expect(texts(follower).at(-1)).toBe("next");
    follower.close();
  });
});
