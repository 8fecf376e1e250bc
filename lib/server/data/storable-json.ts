/** Escapes in JSON text of what PostgreSQL cannot store: NUL and halves of surrogate pairs. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

function clean(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}

function cleanDeep(value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), cleanDeep(inner)]));
}

/** JSON text that PostgreSQL accepts as json and jsonb; characters that it cannot hold become U+FFFD. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(cleanDeep(value)) : text;
}
