import type { Evidence } from "./evidence.ts";
import { SIGNATURES } from "./registry.ts";

/** What the signatures ask for, so that nothing else has to be read of a node's history. */
export interface AskedQuantities {
  readonly quantities: ReadonlySet<string>;
  /** Pairs whose changes are compared. */
  readonly pairs: readonly (readonly [string, string])[];
}

const NOTHING: Evidence = { levels: {}, changes: {} };

/** Told by the signatures themselves: with nothing known, each sign says what it misses. */
export function askedQuantities(): AskedQuantities {
  const missing = SIGNATURES.flatMap(({ key, requires = [], supports = [], excludes = [] }) =>
    [key, ...requires, ...supports, ...excludes].flatMap((sign) => sign(NOTHING).missing),
  );
  const names = [...new Set(missing)];
  const pairs = names.flatMap((name) => {
    const [one, other] = name.split(" ~ ");
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  return {
    quantities: new Set([...names.filter((name) => !/ [~>] |^log:/.test(name)), ...pairs.flat()]),
    pairs,
  };
}
