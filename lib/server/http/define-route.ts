import type { z } from "zod";
import { AppError } from "#lib/errors.ts";
import { logger } from "#lib/server/log.ts";
import type { Context } from "#lib/server/services/context.ts";
import { authenticate, type Access } from "./authenticate.ts";
import { startTimer } from "./metrics.ts";
import { issuesOf, problemResponse, requestIdOf, toAppError } from "./problem.ts";
import { readJsonBody } from "./read-body.ts";
import { getRuntime, type Runtime } from "./runtime.ts";

type Shape = z.ZodObject | undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler is given: all of it validated. */
export interface RouteInput<Query, Params, Body> {
  ctx: Context;
  runtime: Runtime;
  query: Parsed<Query>;
  params: Parsed<Params>;
  body: Parsed<Body>;
  /** For what the contract cannot say: a body that is no JSON document, a header. */
  request: Request;
}

/** Everything about one address and method; the route and its place in the OpenAPI document come from it. */
export interface RouteDefinition<
  Query extends Shape,
  Params extends Shape,
  Body extends z.ZodType | undefined,
  Answer extends z.ZodType,
> {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** As OpenAPI writes it: `/api/v1/nodes/{nodeId}`. */
  path: `/${string}`;
  access: Access;
  summary: string;
  description?: string;
  query?: Query;
  params?: Params;
  body?: Body;
  maxBodyBytes?: number;
  /** Schema of the answer; of text when `contentType` says so. */
  response: Answer;
  contentType?: "application/json" | `text/${string}`;
  /** For the document: other forms of the answer, as a `TextReply`, for who asks for one in Accept. */
  otherForms?: readonly `text/${string}`[];
  /** For the document: bodies that the handler reads itself, by content type. */
  rawBodies?: Readonly<Record<string, z.ZodType>>;
  /** For the document: 200 unless a handler replies with another. */
  successStatus?: 200 | 201 | 204;
  /** For the document: further statuses with a body of the same schema, and what they mean. */
  otherStatuses?: Readonly<Record<number, string>>;
  /** For the document: the query may name what is not there, so that 404 is possible without anything in the path. */
  queryNamesThings?: boolean;
  /** For the document: what is made may be there already, so that 409 is possible. */
  mayConflict?: boolean;
  handler: (
    input: RouteInput<Query, Params, Body>,
  ) => Promise<z.input<Answer> | Reply<z.input<Answer>> | TextReply>;
}

/** What the document needs of a definition. */
export type RouteFacts = Omit<RouteDefinition<Shape, Shape, z.ZodType | undefined, z.ZodType>, "handler">;

/** A route as Next.js calls it, with its facts attached. */
export interface Route {
  (request: Request, context?: RouteContext): Promise<Response>;
  facts: RouteFacts;
}

/** Second argument of a route handler of Next.js. */
export interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/** An answer with a status other than 200, or with headers. */
export class Reply<Body> {
  constructor(
    readonly body: Body,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** An answer in one of the `otherForms` of a route. */
export class TextReply {
  constructor(
    readonly text: string,
    readonly contentType: `text/${string}`,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

const DEFAULT_MAX_BODY_BYTES = 256 * 1024;

/**
 * Makes a route: says who asks, validates everything that came in, runs the handler, compares the answer with its
 * schema and turns whatever is thrown into a problem. `access` has no default: a route without one does not compile.
 */
export function defineRoute<
  Answer extends z.ZodType,
  Query extends Shape = undefined,
  Params extends Shape = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: RouteDefinition<Query, Params, Body, Answer>): Route {
  const { handler, ...facts } = definition;
  const checkAnswer = answerCheck(facts);
  // An unknown parameter is a typing mistake that would otherwise widen the answer in silence.
  const query = definition.query?.strict();

  const respond = async (request: Request, context?: RouteContext): Promise<Response> => {
    const requestId = requestIdOf(request);
    try {
      const runtime = getRuntime();
      const actor = await authenticate(request, definition.access, runtime);
      const input = {
        ctx: { db: runtime.db, actor, now: runtime.now },
        runtime,
        query: parse(query, () => queryOf(request), "invalid", "query"),
        params: parseAddress(definition.params, context),
        body: parse(
          definition.body,
          () => readJsonBody(request, definition.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES),
          "unprocessable",
          "body",
        ),
      };
      const result = await handler({
        ctx: input.ctx,
        runtime,
        query: (await input.query) as Parsed<Query>,
        params: (await input.params) as Parsed<Params>,
        body: (await input.body) as Parsed<Body>,
        request,
      });
      if (result instanceof TextReply) {
        return answer(new Reply(result.text, 200, result.headers), result.contentType, requestId);
      }
      const reply = result instanceof Reply ? result : new Reply<z.input<Answer>>(result, 200);
      checkAnswer(reply.body, runtime, requestId);
      return answer(reply, definition.contentType, requestId);
    } catch (error) {
      return failure(error, requestId, facts);
    }
  };
  const route = async (request: Request, context?: RouteContext): Promise<Response> => {
    const done = startTimer(facts);
    const response = await respond(request, context);
    done(response.status);
    return response;
  };
  return Object.assign(route, { facts: facts });
}

async function parse(
  schema: z.ZodType | undefined,
  read: () => unknown,
  code: "invalid" | "unprocessable" | "not_found",
  what: string,
): Promise<unknown> {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(await read());
  if (result.success) return result.data;
  const issues = issuesOf(result.error);
  const first = issues[0];
  const where = first === undefined || first.path === "" ? "" : ` at ${first.path}`;
  throw new AppError(code, `The ${what} is wrong${where}: ${first?.message ?? "not as expected"}.`, {
    issues,
  });
}

/** One thing has one address: of numbers in it only the usual form is one, not 1.0 or 1e0. */
async function parseAddress(schema: Shape, context: RouteContext | undefined): Promise<unknown> {
  const raw: Readonly<Record<string, unknown>> = (await context?.params) ?? {};
  const read = await parse(schema, () => raw, "not_found", "address");
  const [odd] =
    Object.entries(read ?? {}).find(
      ([name, value]) => typeof value === "number" && String(value) !== raw[name],
    ) ?? [];
  if (odd === undefined) return read;
  const message = "expected digits";
  throw new AppError("not_found", `The address is wrong at ${odd}: ${message}.`, {
    issues: [{ path: odd, message }],
  });
}

/**
 * Repeated parameters become lists.
 * @throws AppError `invalid`, naming the parameter, for NUL, which no text can hold: the database would refuse it without saying which.
 */
function queryOf(request: Request): Record<string, string | string[]> {
  const parameters = new URL(request.url).searchParams;
  const [wrong] = [...parameters].find(([, value]) => value.includes("\u0000")) ?? [];
  if (wrong !== undefined) {
    const message = "contains NUL or broken Unicode";
    throw new AppError("invalid", `The query is wrong at ${wrong}: ${message}.`, {
      issues: [{ path: wrong, message }],
    });
  }
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function answer(reply: Reply<unknown>, contentType: string | undefined, requestId: string): Response {
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId, ...reply.headers });
  if (reply.status === 204) return new Response(null, { status: 204, headers });
  const text = contentType !== undefined && contentType.startsWith("text/");
  headers.set("content-type", contentType ?? "application/json");
  return new Response(text ? String(reply.body) : JSON.stringify(reply.body), {
    status: reply.status,
    headers,
  });
}

/** How often an answer is compared in production: the first ones after the start, then one of so many. */
const SAMPLE_FIRST = 5;
const SAMPLE_EVERY = 200;

function answerCheck(facts: Pick<RouteFacts, "response" | "method" | "path">) {
  let answers = 0;
  return (body: unknown, { checkAnswers }: Runtime, requestId: string): void => {
    answers += 1;
    if (checkAnswers === "sample" && answers > SAMPLE_FIRST && answers % SAMPLE_EVERY !== 0) return;
    const result = facts.response.safeParse(body);
    if (result.success) return;
    const issues = issuesOf(result.error);
    const message = `${facts.method} ${facts.path} answered what its contract does not say`;
    if (checkAnswers === "every") {
      throw new AppError("internal", `${message}: ${JSON.stringify(issues)}`, { issues });
    }
    logger("http").error({ requestId, issues }, message);
  };
}

function failure(
  error: unknown,
  requestId: string,
  { method, path }: Pick<RouteFacts, "method" | "path">,
): Response {
  const shown = toAppError(error);
  const line = { requestId, method, path, code: shown.code };
  if (shown.code === "internal") logger("http").error({ ...line, err: error }, "a request failed");
  else if (shown.code === "unavailable") logger("http").warn({ ...line, err: error }, "the database is away");
  else logger("http").debug({ ...line, detail: shown.message }, "a request was refused");
  return problemResponse(shown, requestId);
}
