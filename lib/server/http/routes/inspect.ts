import { z } from "zod";
import { inspection, INSPECTION_LIMITS } from "#lib/contracts/inspection.ts";
import { explainDump } from "#lib/domain/diagnosis/explain.ts";
import { AppError } from "#lib/errors.ts";
import { defineRoute } from "../define-route.ts";
import { mediaType, readInflated } from "../read-body.ts";

/** Beside plain text what `curl --data-binary` says when it is not told. */
const TYPES = new Set(["text/plain", "application/octet-stream", "application/x-www-form-urlencoded"]);

/** `POST /api/v1/inspect`: the reading that page and command line give. Nothing of the text is stored or logged. */
export const inspectRoute = defineRoute({
  method: "POST",
  path: "/api/v1/inspect",
  access: { role: "viewer", scope: "read" },
  summary: "Read a pasted dump and name the leak",
  description:
    "The body is text: files of /proc, output of free, slabtop, smem, pieces of logs, in any order, quoted or cut; at most " +
    "2 MiB, optionally Content-Encoding: gzip. The answer is what `plumbline-collector explain --json` prints. Nothing " +
    "of the text is stored.",
  rawBodies: { "text/plain": z.string().meta({ description: "What somebody pasted" }) },
  response: inspection,
  handler: async ({ request }) => {
    if (!TYPES.has(mediaType(request) ?? "text/plain"))
      throw new AppError("unsupported_media_type", "Expected Content-Type text/plain.");
    const bytes = await readInflated(request, {
      maxCompressedBytes: INSPECTION_LIMITS.compressedBytes,
      maxBytes: INSPECTION_LIMITS.bytes,
    });
    // Lists of the domain are read-only; the answer is a copy as JSON has it.
    return structuredClone(explainDump(new TextDecoder().decode(bytes))) as unknown as z.input<
      typeof inspection
    >;
  },
});
