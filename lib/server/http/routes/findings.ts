import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import {
  findingList,
  findingListQuery,
  findingParams,
  findingWithHistory,
  nodeFindings,
  updateFinding,
} from "#lib/contracts/finding.ts";
import { acknowledgeFinding } from "#lib/server/services/acknowledge-finding.ts";
import { listFindings, listNodeFindings } from "#lib/server/services/list-findings.ts";
import { defineRoute } from "../define-route.ts";

export const listFindingsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/findings",
  access: { role: "viewer", scope: "read" },
  summary: "Known leaks over the fleet: which signature is on how many nodes",
  description:
    "Warnings before what is no leak, firm ones first. Without `state` those that hold: new, acknowledged and returned.",
  query: findingListQuery,
  response: findingList,
  handler: async ({ ctx, query: { state, ...rest } }) =>
    listFindings({ ctx, input: { ...rest, states: state === undefined ? undefined : [state].flat() } }),
});

export const updateFindingRoute = defineRoute({
  method: "PATCH",
  path: "/api/v1/findings/{findingId}",
  access: { role: "investigator", scope: "annotations:write" },
  summary: "Acknowledge a finding, with a note",
  description:
    "It stays until its evidence has gone; then it is resolved by itself, and returns by itself when the evidence does. A finding " +
    "that is resolved cannot be acknowledged: 409.",
  params: findingParams,
  body: updateFinding,
  response: findingWithHistory,
  handler: async ({ ctx, params: { findingId }, body: { note } }) =>
    acknowledgeFinding({ ctx, input: { findingId, note } }),
});

export const listNodeFindingsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/nodes/{nodeId}/findings",
  access: { role: "viewer", scope: "read" },
  summary: "Known leaks on one node, with evidence, and what to look at next",
  description:
    "From its stored history, which is read each quarter of an hour while kernel memory moves, else each hour; those that are " +
    "resolved come last. `possible` holds what is neither shown nor ruled out.",
  params: z.strictObject({ nodeId: rowId }),
  response: nodeFindings,
  handler: async ({ ctx, params: { nodeId } }) => listNodeFindings({ ctx, input: { nodeId } }),
});
