import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { problem } from "#lib/contracts/common.ts";
import { AppError, type ErrorCode, type Issue } from "#lib/errors.ts";
import { databaseErrors, isDatabaseAway } from "../database-away.ts";

export type Problem = z.infer<typeof problem>;

/** An error whose problem carries a finer code than its status tells, such as the code of a rejection. */
export class ProblemWithCode extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly problemCode: string,
  ) {
    super(code, message);
  }
}

/** The one place where a code becomes a status. */
export const PROBLEMS: Record<ErrorCode, { status: number; title: string; meaning: string }> = {
  invalid: {
    status: 400,
    title: "Invalid request",
    meaning: "The request cannot be read; errors name the fields.",
  },
  unauthenticated: {
    status: 401,
    title: "Authentication required",
    meaning: "No token, or one that is not valid.",
  },
  forbidden: { status: 403, title: "Not allowed", meaning: "Known, but without the right to do this." },
  not_found: { status: 404, title: "Not found", meaning: "Nothing is there, or nothing that you may see." },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The address exists, the method does not.",
  },
  conflict: { status: 409, title: "Conflict", meaning: "Someone else changed it, or it exists already." },
  too_large: { status: 413, title: "Too large", meaning: "Send less in one request." },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The content type or encoding is not one of those listed.",
  },
  unprocessable: {
    status: 422,
    title: "Not accepted",
    meaning: "Readable, but not what the contract asks for.",
  },
  rate_limited: { status: 429, title: "Too many requests", meaning: "Wait as long as Retry-After says." },
  internal: {
    status: 500,
    title: "Internal error",
    meaning: "A defect of the server; quote the request id.",
  },
  unavailable: {
    status: 503,
    title: "Unavailable",
    meaning: "The database is away; try again after Retry-After.",
  },
};

/** How long a caller should wait when the database is away, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;

/** SQLSTATE class 22: a value that got past the schemas and that PostgreSQL cannot hold. The caller's fault, not ours. */
function isUnstorableValue(error: unknown): boolean {
  return [...databaseErrors(error)].some(({ code }) => /^22[0-9A-Z]{3}$/.test(code));
}

/** Any thrown value as the error that is shown. What is not an AppError is shown without its text. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) {
    return new AppError("unavailable", "The database cannot be reached at the moment.", {
      retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  if (isUnstorableValue(error)) {
    return new AppError("unprocessable", "A value cannot be stored.", { cause: error });
  }
  return new AppError("internal", "Something broke inside the server; its log has the request id.", {
    cause: error,
  });
}

/** The issues of a failed zod parse, at most 20, with dotted paths. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

/** The caller's own request id when it is a sane one, else a new one. */
export function requestIdOf(request: Pick<Request, "headers">): string {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** An error as `application/problem+json`, RFC 9457. */
export function problemResponse(error: AppError, requestId: string): Response {
  const { status, title } = PROBLEMS[error.code];
  const body: Problem = {
    type: `/docs/api#problem-${error.code}`,
    title,
    status,
    detail: error.message,
    code: error instanceof ProblemWithCode ? error.problemCode : error.code,
    requestId,
    ...(error.issues !== undefined && { errors: [...error.issues] }),
    ...(error.conflict !== undefined && { conflict: error.conflict }),
  };
  const headers = new Headers({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-request-id": requestId,
  });
  if (error.retryAfterSeconds !== undefined)
    headers.set("retry-after", String(Math.ceil(error.retryAfterSeconds)));
  if (error.code === "unauthenticated") headers.set("www-authenticate", 'Bearer realm="plumbline"');
  return new Response(JSON.stringify(body), { status, headers });
}
