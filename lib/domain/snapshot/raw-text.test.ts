import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainMessage, splitRawText } from "./raw-text.ts";

const split = (text: string) =>
  splitRawText(text).map(({ at, parts, messages }) => ({
    at,
    parts: parts.map(({ name, text: content }) => [name, content]),
    messages,
  }));

describe("splitRawText", () => {
  it("reads what tail prints, each file with its own line end and no more", () => {
    expect(split("==> /proc/a <==\none\ntwo\n\n==> /proc/b <==\n\n==> /proc/c <==\nlast\n")).toEqual([
      {
        at: undefined,
        parts: [
          ["/proc/a", "one\ntwo\n"],
          ["/proc/b", ""],
          ["/proc/c", "last\n"],
        ],
        messages: [],
      },
    ]);
  });

  it("leaves a file that was cut without its line end", () => {
    // Without the blank line of tail nobody knows whether `b 12` was all.
    expect(split("==> a <==\nb 12\n==> c <==\nd 3")[0]?.parts).toEqual([
      ["a", "b 12"],
      ["c", "d 3"],
    ]);
  });

  it("reads CRLF", () => {
    expect(split("==> a <==\r\none\r\n\r\n==> b <==\r\ntwo\r\n")[0]?.parts).toEqual([
      ["a", "one\r\n\r"],
      ["b", "two\r\n"],
    ]);
  });

  it("takes out what the programs said, wherever it stands, and keeps the number of each line", () => {
    const [sample] = split(
      "tail: cannot open '/proc/slabinfo' for reading: Permission denied\n==> a <==\none\n" +
        "cat: /proc/x: No such file or directory\ntwo\n\n==> plumbline errors <==\nsh: 1: cannot open /proc/y: Permission denied\n",
    );
    expect(sample?.parts).toEqual([["a", "one\n\ntwo\n"]]);
    expect(sample?.messages).toEqual([
      "tail: cannot open '/proc/slabinfo' for reading: Permission denied",
      "cat: /proc/x: No such file or directory",
      "sh: 1: cannot open /proc/y: Permission denied",
    ]);
  });

  it("starts a sample at each line that says so, and has none without files", () => {
    expect(
      split(
        "==> a <==\n0\n\n==> plumbline sample at=17 <==\n==> a <==\n1\n\n==> plumbline sample at=2026-01-01T00:00:00Z <==\n",
      ),
    ).toEqual([
      { at: undefined, parts: [["a", "0\n"]], messages: [] },
      { at: "17", parts: [["a", "1\n"]], messages: [] },
      { at: "2026-01-01T00:00:00Z", parts: [], messages: [] },
    ]);
    expect(split("==> plumbline sample <==\n==> a <==\n1\n")[0]).toMatchObject({ at: "" });
    for (const text of ["", "\n\n", "MemTotal: 1 kB\n", "==> no end\nx\n"]) expect(split(text)).toEqual([]);
  });

  it("is total, and loses no file of a text that it reads back", () => {
    const line = fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "").replace(/^=/, " "));
    const part = fc.tuple(
      fc.stringMatching(/^\/[a-z]{1,8}$/),
      fc.array(line, { maxLength: 4 }).map((lines) => lines.map((each) => `${each}\n`).join("")),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([name, content]) => `==> ${name} <==\n${content}`).join("\n");
        expect(split(text)[0]?.parts).toEqual(parts);
      }),
    );
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            "==> ",
            " <==",
            "\n",
            "\r\n",
            "\n==> a <==\n",
            "==> plumbline sample at=",
            "==> plumbline errors <==\n",
            "x: y: Permission denied\n",
            "\u0000",
            "\ud800",
          ),
          fc.string({ maxLength: 20 }),
        ),
      )
      .map((words) => words.join(""));
    fc.assert(fc.property(hostile, (text) => splitRawText(text).length >= 0));
  });

  it("takes time in proportion to the text", () => {
    const samples = splitRawText("==> ".repeat(500_000) + "\n==> a <==\n".repeat(200_000));
    // More parts than any machine has files are passed over.
    expect(samples[0]?.parts).toHaveLength(256);
  });
});

describe("explainMessage", () => {
  it.each([
    ["tail: cannot open '/proc/x' for reading: Permission denied", "denied"],
    ["tail: can't open '/proc/x': No such file or directory", "absent"],
    ["sh: 1: cannot open /proc/x: Permission denied", "denied"],
    ["cat: /proc/x: Operation not permitted", "denied"],
    ["cat: /proc/x/y: Not a directory", "absent"],
    ["tail: error reading '/proc/x': Input/output error", "malformed"],
    ["tail: /proc/x kann nicht geöffnet werden", "malformed"],
  ])("reads %s as %s", (message, status) => expect(explainMessage(message)).toBe(status));
});
