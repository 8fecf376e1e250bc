/** Where a text stops being JSON, counted from 1, and what could have stood there. */
export interface JsonError {
  line: number;
  column: number;
  expected: string;
}

const whitespace = /[ \t\n\r]*/y;
const plainText = /[^"\\\u0000-\u001f]/;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.eE+-])/y;
const word = /(?:true|false|null)/y;

/**
 * Finds the first place where `text` breaks the grammar of RFC 8259. JSON.parse knows it too, but its messages name it
 * only sometimes and change with the engine. Runs once, on the failure path; linear, and no recursion, so that a
 * million open brackets do no harm. For text that is JSON it points behind the end.
 */
export function findJsonError(text: string): JsonError {
  const open: ("[" | "{")[] = [];
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  // By hand: one pattern for a whole string needs a stack as deep as the string is long.
  const matchString = (): boolean => {
    if (text[at] !== '"') return false;
    let end = at + 1;
    for (;;) {
      const character = text[end];
      if (character === undefined) return false;
      if (character === '"') break;
      escape.lastIndex = end;
      if (plainText.test(character)) end += 1;
      else if (escape.test(text)) end = escape.lastIndex;
      else return false;
    }
    at = end + 1;
    return true;
  };
  const key = (): boolean => matchString() && match(whitespace) && text[at] === ":" && ++at > 0;
  const fail = (expected: string): JsonError => {
    const before = text.slice(0, at);
    const lineStart = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length, column: at - lineStart + 1, expected };
  };

  for (;;) {
    // One value: descend through opening brackets until a scalar or an empty container ends it.
    match(whitespace);
    const bracket = text[at];
    if (bracket === "[" || bracket === "{") {
      at += 1;
      match(whitespace);
      if (text[at] === (bracket === "[" ? "]" : "}")) at += 1;
      else {
        open.push(bracket);
        if (bracket === "{" && !key()) return fail('a name in quotes and ":"');
        continue;
      }
    } else if (!matchString() && !match(number) && !match(word)) return fail("a value");

    // After a value: close what ends here, or go on with the next member.
    for (;;) {
      match(whitespace);
      const container = open.at(-1);
      if (container === undefined) return fail("the end of the text");
      if (text[at] === ",") {
        at += 1;
        match(whitespace);
        if (container === "{" && !key()) return fail('a name in quotes and ":"');
        break;
      }
      if (text[at] !== (container === "[" ? "]" : "}"))
        return fail(container === "[" ? '"," or "]"' : '"," or "}"');
      at += 1;
      open.pop();
    }
  }
}
