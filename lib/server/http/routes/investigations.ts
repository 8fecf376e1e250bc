import { z } from "zod";
import { rowId } from "#lib/contracts/common.ts";
import {
  createEntry,
  createHypothesis,
  createInvestigation as createInvestigationBody,
  createPin,
  deleteInvestigationQuery,
  entry,
  entryList,
  entryListQuery,
  hypothesis,
  investigation,
  investigationHistory,
  investigationHistoryQuery,
  investigationList,
  investigationListQuery,
  pin,
  updateEntry,
  updateHypothesis,
  updateInvestigation as updateInvestigationBody,
  updatePin,
} from "#lib/contracts/investigation.ts";
import { createInvestigation } from "#lib/server/services/create-investigation.ts";
import { deleteInvestigation } from "#lib/server/services/delete-investigation.ts";
import { getInvestigation } from "#lib/server/services/describe-investigation.ts";
import { getInvestigationHistory } from "#lib/server/services/get-investigation-history.ts";
import { listInvestigations } from "#lib/server/services/list-investigations.ts";
import { updateInvestigation } from "#lib/server/services/update-investigation.ts";
import { addHypothesis, changeHypothesis, removeHypothesis } from "#lib/server/services/write-hypothesis.ts";
import {
  addLogEntry,
  changeLogEntry,
  listLogEntries,
  removeLogEntry,
} from "#lib/server/services/write-log-entry.ts";
import { addPin, changePin, removePin } from "#lib/server/services/write-pin.ts";
import { defineRoute, Reply } from "../define-route.ts";

const BASE = "/api/v1/investigations/{investigationId}";
const read = { role: "viewer", scope: "read" } as const;
const write = { role: "investigator", scope: "annotations:write" } as const;
const params = z.strictObject({ investigationId: rowId });
const pinParams = params.extend({ number: rowId });
const hypothesisParams = params.extend({ hypothesisId: rowId });
const entryParams = params.extend({ entryId: rowId });
/** Texts of 100,000 characters, several at once, in any alphabet. */
const maxBodyBytes = 1024 * 1024;

const CONFLICT =
  "The body names the version that the change was made on. Over a newer one it is refused with 409, whose `conflict` holds how it " +
  "stands now and what was sent.";

export const listInvestigationsRoute = defineRoute({
  method: "GET",
  path: "/api/v1/investigations",
  access: read,
  summary: "Investigations, the last changed first",
  query: investigationListQuery,
  response: investigationList,
  handler: async ({ ctx, query }) => listInvestigations({ ctx, input: query }),
});

export const createInvestigationRoute = defineRoute({
  method: "POST",
  path: "/api/v1/investigations",
  access: write,
  summary: "Open an investigation",
  description:
    "The scope is stored as written and as the nodes that it means now. What happened on them since the window begins is written to " +
    "its log, and goes on to be.",
  body: createInvestigationBody,
  maxBodyBytes,
  response: investigation,
  successStatus: 201,
  handler: async ({ ctx, body }) => {
    const made = await createInvestigation({ ctx, input: body });
    return new Reply(made, 201, { location: `/api/v1/investigations/${made.investigationId}` });
  },
});

export const getInvestigationRoute = defineRoute({
  method: "GET",
  path: BASE,
  access: read,
  summary: "One investigation with its hypotheses and pins",
  params,
  response: investigation,
  handler: async ({ ctx, params: input }) => getInvestigation({ ctx, input }),
});

export const updateInvestigationRoute = defineRoute({
  method: "PATCH",
  path: BASE,
  access: write,
  summary: "Change an investigation",
  description: CONFLICT,
  params,
  body: updateInvestigationBody,
  maxBodyBytes,
  response: investigation,
  handler: async ({ ctx, params: { investigationId }, body }) =>
    updateInvestigation({ ctx, input: { investigationId, changes: body } }),
});

export const deleteInvestigationRoute = defineRoute({
  method: "DELETE",
  path: BASE,
  access: write,
  summary: "Take an investigation away",
  description: "Its live links end with it. Frozen ones go on answering, unless revokeLinks=1 ends them too.",
  params,
  query: deleteInvestigationQuery,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: { investigationId }, query }) => {
    await deleteInvestigation({ ctx, input: { investigationId, ...query } });
    return new Reply(null, 204);
  },
});

export const getInvestigationHistoryRoute = defineRoute({
  method: "GET",
  path: `${BASE}/history`,
  access: read,
  summary: "Every change of an investigation and of its parts, newest first",
  description: "With what stood before and after; also of an investigation that was taken away.",
  params,
  query: investigationHistoryQuery,
  response: investigationHistory,
  handler: async ({ ctx, params: { investigationId }, query }) =>
    getInvestigationHistory({ ctx, input: { investigationId, ...query } }),
});

export const addPinRoute = defineRoute({
  method: "POST",
  path: `${BASE}/pins`,
  access: write,
  summary: "Pin a view",
  description:
    "The address is that of a page, from `/`. Times that follow the clock become the moments that they are now.",
  params,
  body: createPin,
  maxBodyBytes,
  response: pin,
  successStatus: 201,
  handler: async ({ ctx, params: { investigationId }, body }) =>
    new Reply(await addPin({ ctx, input: { investigationId, pin: body } }), 201),
});

export const changePinRoute = defineRoute({
  method: "PATCH",
  path: `${BASE}/pins/{number}`,
  access: write,
  summary: "Change the caption or the place of a pin",
  description: CONFLICT,
  params: pinParams,
  body: updatePin,
  response: pin,
  handler: async ({ ctx, params: input, body }) => changePin({ ctx, input: { ...input, changes: body } }),
});

export const removePinRoute = defineRoute({
  method: "DELETE",
  path: `${BASE}/pins/{number}`,
  access: write,
  summary: "Take a pin away",
  params: pinParams,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: input }) => {
    await removePin({ ctx, input });
    return new Reply(null, 204);
  },
});

export const addHypothesisRoute = defineRoute({
  method: "POST",
  path: `${BASE}/hypotheses`,
  access: write,
  summary: "Hold a cause possible",
  params,
  body: createHypothesis,
  maxBodyBytes,
  response: hypothesis,
  successStatus: 201,
  handler: async ({ ctx, params: { investigationId }, body }) =>
    new Reply(await addHypothesis({ ctx, input: { investigationId, hypothesis: body } }), 201),
});

export const changeHypothesisRoute = defineRoute({
  method: "PATCH",
  path: `${BASE}/hypotheses/{hypothesisId}`,
  access: write,
  summary: "Change text, state or evidence of a hypothesis",
  description: CONFLICT,
  params: hypothesisParams,
  body: updateHypothesis,
  maxBodyBytes,
  response: hypothesis,
  handler: async ({ ctx, params: input, body }) =>
    changeHypothesis({ ctx, input: { ...input, changes: body } }),
});

export const removeHypothesisRoute = defineRoute({
  method: "DELETE",
  path: `${BASE}/hypotheses/{hypothesisId}`,
  access: write,
  summary: "Take a hypothesis away",
  params: hypothesisParams,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: input }) => {
    await removeHypothesis({ ctx, input });
    return new Reply(null, 204);
  },
});

export const listLogEntriesRoute = defineRoute({
  method: "GET",
  path: `${BASE}/log`,
  access: read,
  summary: "The log of an investigation, newest first",
  description: "What people wrote, and what the program saw on its nodes within its window.",
  params,
  query: entryListQuery,
  response: entryList,
  handler: async ({ ctx, params: { investigationId }, query }) =>
    listLogEntries({ ctx, input: { investigationId, ...query } }),
});

export const addLogEntryRoute = defineRoute({
  method: "POST",
  path: `${BASE}/log`,
  access: write,
  summary: "Write to the log",
  params,
  body: createEntry,
  maxBodyBytes,
  response: entry,
  successStatus: 201,
  handler: async ({ ctx, params: { investigationId }, body }) =>
    new Reply(await addLogEntry({ ctx, input: { investigationId, entry: body } }), 201),
});

export const changeLogEntryRoute = defineRoute({
  method: "PATCH",
  path: `${BASE}/log/{entryId}`,
  access: write,
  summary: "Change what was written to the log",
  description: CONFLICT,
  params: entryParams,
  body: updateEntry,
  maxBodyBytes,
  response: entry,
  handler: async ({ ctx, params: input, body }) =>
    changeLogEntry({ ctx, input: { ...input, changes: body } }),
});

export const removeLogEntryRoute = defineRoute({
  method: "DELETE",
  path: `${BASE}/log/{entryId}`,
  access: write,
  summary: "Take an entry out of the log",
  params: entryParams,
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, params: input }) => {
    await removeLogEntry({ ctx, input });
    return new Reply(null, 204);
  },
});
