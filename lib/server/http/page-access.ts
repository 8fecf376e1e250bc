import type { Role } from "#lib/contracts/role.ts";
import { isAt } from "./address-template.ts";

/** Every page, as OpenAPI would write its address, and the least role that it needs. A test finds one that is missing. */
export const PAGES: Readonly<Record<`/${string}`, "public" | Role>> = {
  "/": "viewer",
  "/account": "viewer",
  "/add-nodes": "administrator",
  "/audit": "administrator",
  "/cohorts": "viewer",
  "/compare": "viewer",
  "/docs/api": "viewer",
  "/experiments": "viewer",
  "/findings": "viewer",
  "/import": "administrator",
  "/inspect": "viewer",
  "/investigations": "viewer",
  "/investigations/{investigationId}": "viewer",
  "/investigations/{investigationId}/preview": "investigator",
  "/invitation/{code}": "public",
  "/marks": "viewer",
  "/nodes/{nodeId}": "viewer",
  "/nodes/{nodeId}/cgroups": "viewer",
  "/nodes/{nodeId}/directories": "viewer",
  "/nodes/{nodeId}/findings": "viewer",
  "/nodes/{nodeId}/objects": "viewer",
  "/nodes/{nodeId}/slab": "viewer",
  "/nodes/{nodeId}/sources": "viewer",
  "/people": "administrator",
  "/s/{token}": "public",
  "/s/{token}/closer/{number}": "public",
  "/s/{token}/content": "public",
  "/s/{token}/picture": "public",
  "/shares": "investigator",
  "/sign-in": "public",
  "/sources": "viewer",
  "/stories": "viewer",
};

/** The least role for a page; what is no page of ours is for viewers, so that a stranger does not learn what there is. */
export function pageAccess(path: string): "public" | Role {
  const asked = path === "/" ? path : path.replace(/\/$/, "");
  const found = Object.entries(PAGES).find(([page]) => isAt(page.split("/"), asked.split("/")));
  return found?.[1] ?? "viewer";
}
