import { ApiProblem, sendForAnswer } from "../node/api-client.ts";

/** What is saved by version. */
export interface Versioned {
  readonly version: number;
}

/** One thing that is written to: as it stands, and how it is saved. Lives outside React, so that saving draws nothing by itself. */
export interface Saver<Thing extends Versioned> {
  get: () => Thing;
  subscribe: (listener: () => void) => () => void;
  /** Takes over how it stands now, unless something newer is known. */
  see: (next: Thing) => void;
  /** Saves on the newest version that is known, one save after another. @throws ApiProblem; after a conflict `get` has the newer. */
  save: (changes: object) => Promise<void>;
}

/** A saver for what stands at an address of the API. */
export function createSaver<Thing extends Versioned>(
  initial: Thing,
  path: string,
  schema: { parse: (value: unknown) => Thing },
): Saver<Thing> {
  let current = initial;
  let last: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();
  const see = (next: Thing) => {
    if (next.version < current.version) return;
    current = next;
    for (const listener of listeners) listener();
  };
  const write = async (changes: object) => {
    try {
      see(await sendForAnswer("PATCH", path, { version: current.version, ...changes }, schema));
    } catch (error) {
      if (error instanceof ApiProblem && error.current !== undefined) see(schema.parse(error.current));
      throw error;
    }
  };
  return {
    get: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    see,
    save: (changes) => {
      const mine = last.then(() => write(changes));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
