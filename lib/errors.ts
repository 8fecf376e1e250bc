/** Every expected way to fail. What a code means to a caller over HTTP is decided once, in lib/server/http/problem.ts. */
export type ErrorCode =
  /** The request is not what the contract asks for; `issues` name the fields. */
  | "invalid"
  /** The request is well formed and cannot be done as things are. */
  | "unprocessable"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  /** A part that the server depends on is away; the same request may succeed later. */
  | "unavailable"
  | "internal";

/** One field that is wrong; `path` is dotted, empty for the whole. */
export interface Issue {
  path: string;
  message: string;
}

/** Both sides of a save that came too late, so that nobody loses what was written. */
export interface Conflict {
  /** As it stands now. */
  readonly current: unknown;
  /** What was sent. */
  readonly sent: unknown;
}

/** The only error that is meant to be shown: `message` says what was expected, in a sentence. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;
  /** When it makes sense to try again, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  readonly conflict: Conflict | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      issues?: readonly Issue[];
      retryAfterSeconds?: number;
      conflict?: Conflict;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.conflict = options.conflict;
  }
}
