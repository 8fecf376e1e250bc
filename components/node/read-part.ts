import type { Part } from "#lib/charts/node-data.ts";
import { ApiProblem } from "./api-client.ts";

/** A part of a page as it came, or why it did not. @throws AbortError alone. */
export async function readPart<Data>(reading: Promise<Data>): Promise<Part<Data>> {
  try {
    return { ok: true, data: await reading };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    return {
      ok: false,
      message: error instanceof Error ? error.message : "The answer could not be read.",
      requestId: error instanceof ApiProblem ? error.requestId : undefined,
      absent: error instanceof ApiProblem && error.code === "not_found",
    };
  }
}
