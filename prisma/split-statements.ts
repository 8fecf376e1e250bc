/**
 * Splits an SQL file into its statements, without the semicolons. Citus forwards the whole text of a query to its
 * workers and refuses more than one command in it, so each statement must be sent by itself.
 *
 * Knows strings ('…', E'…' with backslashes), quoted names, dollar quotes and nested comments. Statements that hold
 * nothing but comments are left out.
 * @throws Error when a quote, name or comment is not closed.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let hasCode = false;
  let at = 0;
  const finish = (end: number) => {
    if (hasCode) statements.push(sql.slice(start, end).trim());
    hasCode = false;
  };
  while (at < sql.length) {
    const comment = commentEnd(sql, at);
    if (comment !== undefined) {
      at = comment;
    } else if (sql[at] === ";") {
      finish(at);
      at += 1;
      start = at;
    } else {
      hasCode ||= /\S/.test(sql[at] ?? "");
      at = tokenEnd(sql, at);
    }
  }
  finish(sql.length);
  return statements;
}

function commentEnd(sql: string, at: number): number | undefined {
  if (sql.startsWith("--", at)) {
    const newline = sql.indexOf("\n", at);
    return newline === -1 ? sql.length : newline + 1;
  }
  if (!sql.startsWith("/*", at)) return undefined;
  let depth = 0;
  for (let here = at; here < sql.length; here += 1) {
    if (sql.startsWith("/*", here)) {
      depth += 1;
      here += 1;
    } else if (sql.startsWith("*/", here)) {
      depth -= 1;
      here += 1;
      if (depth === 0) return here + 1;
    }
  }
  throw new Error(`Comment not closed: ${excerpt(sql, at)}`);
}

/** End of the string, quoted name, word or single character that begins at `at`. */
function tokenEnd(sql: string, at: number): number {
  const char = sql[at] ?? "";
  if (char === "'" || char === '"') return quoteEnd(sql, at, char, false);
  const word = /^[\p{L}_][\p{L}\p{N}_$]*/u.exec(sql.slice(at, at + 200))?.[0];
  if (word !== undefined) {
    const next = at + word.length;
    // Only E'…' knows backslashes; a dollar within a name is no dollar quote.
    return /^e$/i.test(word) && sql[next] === "'" ? quoteEnd(sql, next, "'", true) : next;
  }
  const tag = /^\$([\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(sql.slice(at, at + 200))?.[0];
  if (tag !== undefined) {
    const end = sql.indexOf(tag, at + tag.length);
    if (end === -1) throw new Error(`Dollar quote not closed: ${excerpt(sql, at)}`);
    return end + tag.length;
  }
  return at + 1;
}

function quoteEnd(sql: string, at: number, quote: string, backslashes: boolean): number {
  for (let here = at + 1; here < sql.length; here += 1) {
    if (backslashes && sql[here] === "\\") here += 1;
    else if (sql[here] === quote) {
      if (sql[here + 1] !== quote) return here + 1;
      here += 1;
    }
  }
  throw new Error(`Quote not closed: ${excerpt(sql, at)}`);
}

function excerpt(sql: string, at: number): string {
  return JSON.stringify(sql.slice(at, at + 60));
}
