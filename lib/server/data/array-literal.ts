/**
 * Text forms of PostgreSQL arrays. node-postgres' own are general and slow; a batch of snapshots is sent as some sixty
 * arrays, so these write and read flat arrays of numbers without looking at each element twice.
 */

/** `{1,2,NULL}`; undefined and null become NULL. */
export function numberArray(values: readonly (number | null | undefined)[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    text += (index === 0 ? "" : ",") + (value == null ? "NULL" : String(value));
  }
  return `${text}}`;
}

/** `{2026-01-02T03:04:05.678Z,…}` from epoch milliseconds; undefined becomes NULL. */
export function timeArray(values: readonly (number | undefined)[]): string {
  return `{${values.map((ms) => (ms === undefined ? "NULL" : new Date(ms).toISOString())).join(",")}}`;
}

/** `{"…","…",NULL}`, for JSON texts and array literals within an array; undefined becomes NULL. */
export function textArray(values: readonly (string | undefined)[]): string {
  const literals = values.map((text) =>
    text === undefined ? "NULL" : `"${text.replace(/[\\"]/g, "\\$&")}"`,
  );
  return `{${literals.join(",")}}`;
}

/** Stands in no JSON text and in no literal of an array of numbers: JSON escapes it. */
const SEPARATOR = "\u001e";

/**
 * Many JSON texts or literals of arrays of numbers as one text, undefined as an empty piece: unlike an array literal nothing in
 * it is escaped, neither here nor there. `unpackTexts` is its other side.
 */
export function packTexts(texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text ?? "").join(SEPARATOR);
}

/** SQL for the text[] of a parameter that `packTexts` made; an empty piece is NULL, and so may be missing at the end. */
export function unpackTexts(parameter: string): string {
  return `string_to_array(${parameter}::text, E'\\x1e', '')`;
}

/**
 * Reads the text of a flat array of numbers or booleans; NULL becomes null, `t` 1 and `f` 0.
 * @throws RangeError for a number that is not exact.
 */
export function parseNumberArray(text: string): (number | null)[] {
  const inner = text.slice(1, -1);
  if (inner === "") return [];
  return inner.split(",").map((each) => {
    if (each === "NULL") return null;
    if (each === "t") return 1;
    if (each === "f") return 0;
    const value = Number(each);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new RangeError(`bigint ${each} does not fit a number`);
    }
    return value;
  });
}
