import { z } from "zod";

/** How an investigation is written down to be taken along. */
const exportFormat = z.enum(["markdown", "html", "json"]);

export const exportQuery = z.object({
  format: exportFormat,
  /** Replaces names of hosts and users and addresses, the same for the same. */
  redacted: z
    .enum(["0", "1"])
    .default("0")
    .transform((each) => each === "1"),
});

export type ExportFormat = z.infer<typeof exportFormat>;
