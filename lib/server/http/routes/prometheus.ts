import { z } from "zod";
import { acceptRemoteWrite } from "#lib/server/services/accept-remote-write.ts";
import { defineRoute, Reply } from "../define-route.ts";
import { countRemoteWrite } from "../metrics.ts";
import { readWriteBody } from "../read-write-body.ts";
import { settleSoon } from "../settle-soon.ts";

/** `POST /api/v1/write`: remote write 1.0 of Prometheus. */
export const remoteWriteRoute = defineRoute({
  method: "POST",
  path: "/api/v1/write",
  access: { tokenScope: "snapshots:write" },
  summary: "Take in what a Prometheus scraped, as it remote-writes it",
  description:
    "Remote write 1.0: a prometheus.WriteRequest in one block of Snappy. The series of one scrape may come in several " +
    "requests; they are durable with the answer, and become a snapshot once nothing more came for ten seconds. Series that are " +
    "not needed are dropped and counted. Remote write 2.0 is answered 415.",
  query: z.object({
    /** The label that names the nodes; by default `node`, else `instance` without its port. */
    nodeLabel: z
      .string()
      .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,100}$/)
      .optional(),
  }),
  rawBodies: {
    "application/x-protobuf": z.string().meta({ description: "prometheus.WriteRequest, Snappy" }),
  },
  response: z.null(),
  successStatus: 204,
  handler: async ({ ctx, runtime, request, query }) => {
    const series = await readWriteBody(request);
    countRemoteWrite(await acceptRemoteWrite({ ctx, input: { series, nodeLabel: query.nodeLabel } }));
    settleSoon(runtime);
    return new Reply(null, 204);
  },
});
