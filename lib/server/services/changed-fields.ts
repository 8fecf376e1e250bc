/** Those of the fields `names` whose values differ; in JSON, where the order of keys says nothing and absent is null. */
export function changedFields<Fields extends object>(
  names: readonly (keyof Fields & string)[],
  before: Fields,
  after: Fields,
): (keyof Fields & string)[] {
  return names.filter((name) => canonical(before[name]) !== canonical(after[name]));
}

/** The database keeps the keys of an object in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
