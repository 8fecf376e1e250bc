import "server-only";
import type { Part } from "#lib/charts/node-data.ts";
import { AppError } from "#lib/errors.ts";
import { toAppError } from "#lib/server/http/problem.ts";
import { logger } from "#lib/server/log.ts";

/** A part that could not be read says why and leaves the others alone; what is not expected is logged. */
export async function part<Data>(name: string, reading: Promise<Data>): Promise<Part<Data>> {
  try {
    return { ok: true, data: await reading };
  } catch (error) {
    const known = toAppError(error);
    const requestId = crypto.randomUUID();
    if (!(error instanceof AppError))
      logger("pages").error({ err: error, requestId, part: name }, "a page part failed");
    return { ok: false, message: known.message, requestId, absent: known.code === "not_found" };
  }
}
