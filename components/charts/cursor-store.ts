/** One moment that all charts of a page point at. Lives outside React, so that moving it draws no chart again. */
export interface CursorStore {
  /** Epoch milliseconds, of a sample or, where there is none, of the pointer; undefined while nothing is pointed at. */
  get: () => number | undefined;
  set: (atMs: number | undefined) => void;
  subscribe: (listener: () => void) => () => void;
}

/** A cursor of its own for one page. */
export function createCursorStore(): CursorStore {
  let current: number | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (atMs) => {
      if (atMs === current) return;
      current = atMs;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
