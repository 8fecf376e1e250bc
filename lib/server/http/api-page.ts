import type { RouteFacts } from "./define-route.ts";
import { accessText } from "./openapi.ts";
import { PROBLEMS } from "./problem.ts";
import { apiDocument, ROUTES } from "./route-registry.ts";

/** One line of a table that describes a schema; `depth` is how far it is nested. */
export interface FieldLine {
  name: string;
  depth: number;
  type: string;
  required: boolean;
  description: string;
}

export interface EndpointText {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  access: string;
  parameters: FieldLine[];
  body: FieldLine[];
  answer: FieldLine[];
}

export interface ApiPage {
  endpoints: EndpointText[];
  problems: { id: string; code: string; status: number; title: string; meaning: string }[];
}

interface Json {
  readonly [key: string]: unknown;
}

const MAX_DEPTH = 4;

/** The document of the API as the lines of a page: what can be called, by whom, with what, and what comes back. */
export function apiPage(): ApiPage {
  const document = JSON.parse(JSON.stringify(apiDocument())) as Json;
  return {
    endpoints: ROUTES.map((route) => endpointText(route, document)),
    problems: Object.entries(PROBLEMS).map(([code, problem]) => ({
      id: `problem-${code}`,
      code,
      ...problem,
    })),
  };
}

function endpointText(route: RouteFacts, document: Json): EndpointText {
  const operation = at(document, "paths", route.path, route.method.toLowerCase());
  const parameters = list(operation.parameters).map((parameter): FieldLine => ({
    name: text(parameter.name),
    depth: 0,
    type: typeText(object(parameter.schema), document),
    required: parameter.required === true,
    description: [
      text(parameter.in) === "path" ? "In the address." : "",
      descriptionOf(object(parameter.schema)),
    ]
      .filter(Boolean)
      .join(" "),
  }));
  const bodies = Object.values(at(operation, "requestBody", "content")).map(object);
  const answers = Object.values(
    at(operation, "responses", String(route.successStatus ?? 200), "content"),
  ).map(object);
  return {
    id: text(operation.operationId),
    method: route.method,
    path: route.path,
    summary: route.summary,
    description: route.description ?? "",
    access: accessText(route),
    parameters,
    body: outline(object(bodies[0]?.schema), document),
    answer: outline(object(answers[0]?.schema), document),
  };
}

/** The fields of a schema, nested ones below their parent. */
export function outline(schema: Json, document: Json, depth = 0): FieldLine[] {
  const resolved = core(schema, document);
  if (depth >= MAX_DEPTH) return [];
  const required = new Set(Array.isArray(resolved.required) ? resolved.required : []);
  return Object.entries(object(resolved.properties)).flatMap(([name, value]) => {
    const property = object(value);
    return [
      {
        name,
        depth,
        type: typeText(property, document),
        required: required.has(name),
        description: descriptionOf(property),
      },
      ...outline(property, document, depth + 1),
    ];
  });
}

/** What a field's own fields are read from: the referenced schema, the items of a list, the part that is not null. */
function core(schema: Json, document: Json): Json {
  const resolved = dereference(schema, document);
  if (resolved.type === "array") return core(object(resolved.items), document);
  const parts = list(resolved.anyOf).filter((part) => part.type !== "null");
  return parts[0] === undefined ? resolved : core(parts[0], document);
}

function typeText(schema: Json, document: Json): string {
  const resolved = dereference(schema, document);
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (Array.isArray(resolved.enum)) return resolved.enum.map(String).join(" | ");
  const parts = list(resolved.anyOf);
  if (parts.length > 0) return [...new Set(parts.map((part) => typeText(part, document)))].join(" | ");
  if (resolved.type === "array") {
    const items = list(resolved.prefixItems);
    return items.length > 0
      ? `[${items.map((item) => typeText(item, document)).join(", ")}]`
      : `list of ${typeText(object(resolved.items), document)}`;
  }
  return Array.isArray(resolved.type) ? resolved.type.map(String).join(" | ") : text(resolved.type) || "any";
}

function descriptionOf(schema: Json): string {
  const initial = schema.default === undefined ? "" : `Default ${JSON.stringify(schema.default)}.`;
  return [text(schema.description), initial].filter(Boolean).join(" ");
}

function dereference(schema: Json, document: Json): Json {
  const reference = text(schema.$ref);
  return reference === "" ? schema : at(document, ...reference.replace("#/", "").split("/"));
}

function at(value: Json, ...path: string[]): Json {
  return path.reduce((holder, key) => object(holder[key]), value);
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
