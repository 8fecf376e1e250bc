import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitStatements } from "./split-statements.ts";

describe("splitStatements", () => {
  it.each([
    ["select 1; select 2;", ["select 1", "select 2"]],
    ["select 1", ["select 1"]],
    [" ; ;; -- nothing;\n /* none; /* nested; */ */", []],
    ["select ';', 'it''s; so', \"a;\"\"b\"; x", ["select ';', 'it''s; so', \"a;\"\"b\"", "x"]],
    ["select E'\\';', e'a\\\\'; y", ["select E'\\';', e'a\\\\'", "y"]],
    ["select '\\'; z", ["select '\\'", "z"]],
    [
      "do $a$ begin; x := $$ ; $$; end $a$; create function f() as $$ a; b; $$; c",
      ["do $a$ begin; x := $$ ; $$; end $a$", "create function f() as $$ a; b; $$", "c"],
    ],
    ["select a$b$; select $1; select c$b$", ["select a$b$", "select $1", "select c$b$"]],
    ["-- head;\nselect 1 -- tail;\n; select 2", ["-- head;\nselect 1 -- tail;", "select 2"]],
  ])("splits %j", (sql, expected) => {
    expect(splitStatements(sql)).toEqual(expected);
  });

  it.each(["select 'x", 'select "x', "select $a$ x $$", "/* /* */ x"])("refuses %j", (sql) => {
    expect(() => splitStatements(sql)).toThrow(/not closed/);
  });

  it("takes apart whatever was joined", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab;'\"$\\-/* \n") });
    const piece = fc.oneof(
      text.map((inner) => `'${inner.replaceAll("'", "''")}'`),
      text.map((inner) => `"${inner.replaceAll('"', '""')}"`),
      text.map((inner) => `$tag$${inner.replaceAll("$", "")}$tag$`),
      fc.constantFrom("a", "1", "(x)", "a$b"),
    );
    const statement = fc.array(piece, { minLength: 1 }).map((pieces) => pieces.join(" "));
    fc.assert(
      fc.property(fc.array(statement), (statements) => {
        expect(splitStatements(statements.join(";"))).toEqual(statements);
      }),
    );
  });
});
