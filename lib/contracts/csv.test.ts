import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv, toCsv } from "./csv.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "=1+1",
    "'=1",
    "''@x",
    "\t",
    "\r\n=2",
    'a"b',
    "a;b",
    "a,b",
    " x ",
    "\uff1dSUM(A1)",
    "'",
    "-",
  ),
);

describe("toCsv", () => {
  it("is read back as it was, whatever the cells hold", () => {
    const rows = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1 }));
    fc.assert(
      fc.property(rows, ([columns = [], ...body]) => {
        const read = readCsv(toCsv({ columns: ["a", ...columns], rows: body.map((row) => ["x", ...row]) }));
        expect(read.ok && read.rows.map(({ cells }) => cells)).toEqual([
          ["a", ...columns],
          ...body.map((row) => ["x", ...row]),
        ]);
      }),
    );
  });

  it("lets no cell begin as a formula", () => {
    fc.assert(
      fc.property(text, (value) => {
        const [, written = ""] = /^"?([^]*)/.exec(toCsv({ columns: [value], rows: [] })) ?? [];
        expect(written).not.toMatch(/^[=+\-@\t\uff1d\uff0b\uff0d\uff20]/);
      }),
    );
  });
});

describe("readCsv", () => {
  it("takes what spreadsheets write", () => {
    const rows = [
      { line: 1, cells: ["at", "title"] },
      { line: 2, cells: ["1", "a\nb"] },
      { line: 5, cells: ["2", ""] },
    ];
    expect(readCsv('\ufeffat;title\r\n1;"a\nb"\r\n\r\n2;')).toEqual({ ok: true, rows });
    expect(readCsv('at\ttitle\n1\t"a\nb"\n\n2\t\n')).toEqual({ ok: true, rows });
    expect(readCsv("")).toEqual({ ok: true, rows: [] });
  });

  it.each([
    ['a,b\n1,"open\nand on', 2, /never closed/],
    ['a\n"x"y', 2, /closing/],
  ])("says where %j stops being CSV", (input, line, message) => {
    expect(readCsv(input)).toEqual({ ok: false, line, message: expect.stringMatching(message) as string });
  });
});
