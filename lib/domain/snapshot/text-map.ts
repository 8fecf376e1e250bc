import { z } from "zod";

/** What an open map of texts may hold. */
export interface TextMapLimits {
  readonly entries: number;
  readonly keyChars: number;
  readonly valueChars: number;
  /** Whether a value must have characters, none of which PostgreSQL cannot store. */
  readonly valuesAreText: boolean;
}

function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

function findFault(
  value: unknown,
  { entries, keyChars, valueChars, valuesAreText }: TextMapLimits,
): { path: string[]; message: string } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { path: [], message: "expected an object of texts" };
  }
  const found = Object.entries(value);
  if (found.length > entries) {
    return { path: [], message: `expected at most ${entries} entries, had ${found.length}` };
  }
  for (const [key, text] of found) {
    if (key === "__proto__") return { path: [key], message: "expected another name than __proto__" };
    if (key.length === 0 || key.length > keyChars || !isStorable(key)) {
      return { path: [key.slice(0, 40)], message: `expected a name of 1 to ${keyChars} characters` };
    }
    if (typeof text !== "string" || text.length > valueChars) {
      return { path: [key], message: `expected a text of at most ${valueChars} characters` };
    }
    if (valuesAreText && (text === "" || !isStorable(text))) {
      return {
        path: [key],
        message: "expected a text without NUL or broken Unicode, of one character or more",
      };
    }
  }
  return undefined;
}

/**
 * Schema of an open map of texts, such as labels. Not `z.record`, which passes over a key `__proto__` in silence: a scope of
 * that label alone would then mean every node.
 */
export function textMap(limits: TextMapLimits) {
  return z
    .custom<Record<string, string>>()
    .superRefine((value, context) => {
      const fault = findFault(value, limits);
      if (fault) context.addIssue({ code: "custom", path: fault.path, message: fault.message });
    })
    .meta({ override: { type: "object", additionalProperties: { type: "string" } } });
}
