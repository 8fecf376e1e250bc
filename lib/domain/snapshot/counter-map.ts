import { z } from "zod";

/** What a counter map may hold; shared by every open map of the wire format. */
export const COUNTER_MAP_LIMITS = { keys: 2048, keyChars: 200 } as const;

/** An open map of kernel counters: the kernel's own key to a whole number in the unit the section states. */
export type CounterMap = Record<string, number>;

/** Says what is wrong with a counter map, naming the key; `undefined` when it is sound. */
function findFault(value: unknown): { path: string[]; message: string } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { path: [], message: "expected an object of counters" };
  }
  let keys = 0;
  for (const key in value) {
    keys += 1;
    const counter = (value as Record<string, unknown>)[key];
    // The kernel prints these without a sign.
    if (typeof counter !== "number" || !Number.isSafeInteger(counter) || counter < 0) {
      return { path: [key], message: "expected a whole number from 0 to 2^53 − 1" };
    }
    if (key.length === 0 || key.length > COUNTER_MAP_LIMITS.keyChars || key.includes("\u0000")) {
      return {
        path: [key.slice(0, 40)],
        message: `expected a key of 1 to ${COUNTER_MAP_LIMITS.keyChars} characters`,
      };
    }
  }
  if (keys > COUNTER_MAP_LIMITS.keys) {
    return { path: [], message: `expected at most ${COUNTER_MAP_LIMITS.keys} counters, had ${keys}` };
  }
  return undefined;
}

/**
 * Schema of an open counter map. One hand-written pass instead of `z.record`: a snapshot carries some 250 counters,
 * and this check is the larger part of what validating one costs.
 */
export function counterMap(description: string) {
  return z
    .custom<CounterMap>()
    .superRefine((value, context) => {
      const fault = findFault(value);
      if (fault) context.addIssue({ code: "custom", path: fault.path, message: fault.message });
    })
    .meta({
      description,
      override: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
    });
}
