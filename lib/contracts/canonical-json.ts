/**
 * A value as canonical JSON (RFC 8785): no blanks, keys in the order of their UTF-16 code units, numbers and strings as ECMAScript
 * writes them. Equal values give equal text, to the byte. Fields that are undefined are left out.
 * @throws RangeError for what JSON cannot hold: NaN and infinities, and undefined in a list.
 *
 * @example canonicalJson({ b: 1, a: [true, "x"] }) // '{"a":[true,"x"],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(`JSON has no ${value}`);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`);
    return `{${fields.join(",")}}`;
  }
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new RangeError(`JSON has no ${typeof value}`);
  return text;
}
