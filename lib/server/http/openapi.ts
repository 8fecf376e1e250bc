import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import { annotation, effect } from "#lib/contracts/annotation.ts";
import { changePoint } from "#lib/contracts/change-point.ts";
import { problem } from "#lib/contracts/common.ts";
import { decomposition } from "#lib/contracts/decomposition.ts";
import { experiment, followUp } from "#lib/contracts/experiment.ts";
import { forecast } from "#lib/contracts/forecast.ts";
import { nodeSummary } from "#lib/contracts/node.ts";
import { trend } from "#lib/contracts/trend.ts";
import type { RouteFacts } from "./define-route.ts";
import { PROBLEMS } from "./problem.ts";

const PROBLEM_TYPE = "application/problem+json";

/** The OpenAPI 3.1 document of routes: the schemas in it are those that validate. */
export function openApiDocument(routes: readonly RouteFacts[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Plumbline",
      version: "1",
      description:
        "Times are epoch milliseconds in answers, and ISO 8601 or epoch milliseconds in requests. Memory is in KiB; " +
        "the unit stands in the name or beside the value. Errors are application/problem+json.",
    },
    components: {
      schemas: {
        Annotation: annotation,
        ChangePoint: changePoint,
        Decomposition: decomposition,
        Effect: effect,
        Experiment: experiment,
        FollowUp: followUp,
        Forecast: forecast,
        Node: nodeSummary,
        Problem: problem,
        Trend: trend,
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "pl_<prefix>_<secret>" },
        person: {
          type: "apiKey",
          in: "cookie",
          name: "plumbline.session_token",
          description: "A person who is signed in, or who is at the server's machine where that is enough",
        },
      },
    },
    paths,
  };
  return createDocument(document, {
    allowEmptySchema: { custom: true },
    override: ({ jsonSchema, zodSchema }) => {
      // The only hand-written schemas are the open counter maps of the wire format; refining them loses their own words.
      if (zodSchema._zod.def.type !== "custom") return;
      jsonSchema.type = "object";
      jsonSchema.additionalProperties = { type: "integer" };
    },
  });
}

/** Who may call a route, in words; the page and the document say the same. */
export function accessText({ access }: Pick<RouteFacts, "access">): string {
  if (access === "public") return "anyone";
  if ("tokenScope" in access) return `a token with scope ${access.tokenScope}`;
  const person = access.role === "viewer" ? "every person" : `an ${access.role}`;
  return access.scope === undefined ? person : `a token with scope ${access.scope}, or ${person}`;
}

function operation(route: RouteFacts): ZodOpenApiOperationObject {
  const { query, params, body, rawBodies, response, successStatus = 200 } = route;
  const contentType = route.contentType ?? "application/json";
  const content = rawBodies ?? (body === undefined ? undefined : ({ "application/json": body } as const));
  const others = (route.otherForms ?? []).map((type) => [type, { schema: z.string() }] as const);
  const answer = { content: { [contentType]: { schema: response }, ...Object.fromEntries(others) } };
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: [route.description, `For ${accessText(route)}.`].filter(Boolean).join(" "),
    security: security(route),
    ...((query !== undefined || params !== undefined) && {
      requestParams: { ...(query !== undefined && { query }), ...(params !== undefined && { path: params }) },
    }),
    ...(content !== undefined && {
      requestBody: {
        required: true,
        content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
      },
    }),
    responses: {
      [`${successStatus}`]:
        successStatus === 204 ? { description: "Done" } : { description: "The answer", ...answer },
      ...Object.fromEntries(
        Object.entries(route.otherStatuses ?? {}).map(([status, description]) => [
          status,
          { description, ...answer },
        ]),
      ),
      ...Object.fromEntries(
        problemStatuses(route).map(({ status, title, meaning }) => [
          `${status}`,
          { description: `${title}. ${meaning}`, content: { [PROBLEM_TYPE]: { schema: problem } } },
        ]),
      ),
    },
  };
}

function operationId({ method, path }: RouteFacts): string {
  const api = path.startsWith("/api/v1/");
  const words = path
    .replace("/api/v1", "")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const verb = api ? method.toLowerCase() : `${method.toLowerCase()}Server`;
  return [verb, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

function security({ access }: RouteFacts): Record<string, string[]>[] {
  if (access === "public") return [];
  const token = "tokenScope" in access || access.scope !== undefined;
  return [...(token ? [{ token: [] }] : []), ...("tokenScope" in access ? [] : [{ person: [] }])];
}

function problemStatuses(route: RouteFacts) {
  const reads = route.body !== undefined || route.rawBodies !== undefined;
  const taken = new Set(Object.keys(route.otherStatuses ?? {}).map(Number));
  return Object.entries(PROBLEMS)
    .filter(([code]) => {
      switch (code) {
        case "invalid":
          return reads || route.query !== undefined;
        case "unauthenticated":
        case "forbidden":
        case "rate_limited":
          return route.access !== "public";
        case "not_found":
          return route.params !== undefined || route.queryNamesThings === true;
        case "conflict":
          return route.method === "PATCH" || route.mayConflict === true;
        case "too_large":
        case "unsupported_media_type":
        case "unprocessable":
          return reads;
        case "method_not_allowed":
          return false;
        default:
          return true;
      }
    })
    .map(([, each]) => each)
    .filter(({ status }) => !taken.has(status));
}
