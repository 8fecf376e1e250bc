import { AppError } from "#lib/errors.ts";
import { isAt } from "./address-template.ts";

/** What is known of a route to tell whether a request has one. */
export interface RoutedAddress {
  readonly method: string;
  /** As OpenAPI writes it: `/api/v1/nodes/{nodeId}`. */
  readonly path: string;
}

/** Answered for every address that has any method. */
const EVERYWHERE = ["OPTIONS"] as const;

/**
 * Why a request below `/api/` has no route, with the methods that its address has; undefined where it has one, and for what
 * lies elsewhere. The page framework would answer with a page, or with nothing. Pure.
 */
export function findUnrouted(
  { method, path }: { readonly method: string; readonly path: string },
  routes: readonly RoutedAddress[],
): { readonly error: AppError; readonly allow: readonly string[] } | undefined {
  if (path !== "/api" && !path.startsWith("/api/")) return undefined;
  const asked = path.replace(/\/$/, "").split("/");
  const methods = routes.filter((route) => isAt(route.path.split("/"), asked)).map((route) => route.method);
  if (methods.length === 0) {
    const error = new AppError(
      "not_found",
      "There is nothing at this address; /docs/api lists what there is.",
    );
    return { error, allow: [] };
  }
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), ...EVERYWHERE])];
  if (allow.includes(method)) return undefined;
  return {
    error: new AppError("method_not_allowed", `This address takes ${allow.join(", ")}, not ${method}.`),
    allow,
  };
}
