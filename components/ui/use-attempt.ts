import { useState } from "react";
import { ApiProblem } from "../node/api-client.ts";

/** What came of the last attempt to change something over the API. */
export interface Attempt {
  readonly busy: boolean;
  /** Why it failed; empty when it did not. */
  readonly fault: string;
  /** What is wrong with each field, by name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Tries; what goes wrong is told by `fault` and `fields`. */
  readonly attempt: (act: () => Promise<void>) => Promise<void>;
}

/** Runs one change at a time and remembers why it failed. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  return {
    busy,
    fault: problem?.message ?? "",
    fields: problem?.fields ?? new Map(),
    attempt: async (act) => {
      setBusy(true);
      setProblem(undefined);
      try {
        await act();
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        setProblem(error);
      } finally {
        setBusy(false);
      }
    },
  };
}
