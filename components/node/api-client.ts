import { problem } from "#lib/contracts/common.ts";

/** What the API said instead of an answer. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly requestId: string | undefined;
  /** Fields that are wrong, by dotted path. */
  readonly fields: ReadonlyMap<string, string>;
  /** `not_found`, `conflict`, …; undefined where there was no answer. */
  readonly code: string | undefined;
  /** Of a save over a newer version: how it stands now. */
  readonly current: unknown;

  constructor(
    message: string,
    {
      requestId,
      fields = new Map(),
      code,
      current,
    }: { requestId?: string; fields?: ReadonlyMap<string, string>; code?: string; current?: unknown } = {},
  ) {
    super(message);
    this.requestId = requestId;
    this.fields = fields;
    this.code = code;
    this.current = current;
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = problem.safeParse(body);
  if (!parsed.success) return new ApiProblem(`The server answered ${response.status} without a reason.`);
  const { detail, requestId, errors = [], code, conflict } = parsed.data;
  const fields = new Map(errors.map((each) => [each.path, each.message]));
  return new ApiProblem(detail, { requestId, fields, code, current: conflict?.current });
}

async function call(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiProblem("The server cannot be reached. What is shown is older.");
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** A contract: turns what came into what was promised, or throws. */
interface Schema<Data> {
  parse: (value: unknown) => Data;
}

/** Reads an address of the API. @throws ApiProblem, or AbortError when `signal` ends it. */
export async function getJson<Data>(path: string, schema: Schema<Data>, signal: AbortSignal): Promise<Data> {
  const response = await call(path, { signal, headers: { accept: "application/json" } });
  return schema.parse(await response.json());
}

type Method = "POST" | "PATCH" | "DELETE";

/** Writes to an address of the API. @throws ApiProblem with the fields that are wrong. */
export async function send(method: Method, path: string, body?: unknown): Promise<void> {
  await write(method, path, body);
}

/** As {@link send}, for what the answer says. */
export async function sendForAnswer<Data>(
  method: Method,
  path: string,
  body: unknown,
  schema: Schema<Data>,
): Promise<Data> {
  return schema.parse(await (await write(method, path, body)).json());
}

function write(method: Method, path: string, body: unknown): Promise<Response> {
  return call(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
}

/** Sends text and reads the answer. @throws ApiProblem with what is wrong in it. */
export async function postText<Data>(
  path: string,
  contentType: string,
  body: string,
  schema: Schema<Data>,
): Promise<Data> {
  const response = await call(path, { method: "POST", headers: { "content-type": contentType }, body });
  return schema.parse(await response.json());
}
