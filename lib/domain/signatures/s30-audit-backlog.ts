import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, holds, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const auditBacklog: Signature = {
  id: "S30",
  name: "Audit records wait for a listener",
  kind: "leak",
  suspect: "audit backlog",
  what: "The kernel keeps audit records while the listener is slow or gone, as packets of a quarter or of 2 KiB.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: anyOf(
    reported("audit backlog"),
    holds(
      "the audit queue is more than 80 % full",
      ["audit.backlog", "audit.backlog.limit"],
      (waiting = 0, limit = 0) => limit > 0 && waiting > 0.8 * limit,
    ),
  ),
  supports: [
    grows("meminfo.SUnreclaim"),
    grows("kmalloc.2048.bytes"),
    grows("kmalloc.256.bytes"),
    grows("slab.skbuff_head_cache.bytes"),
    grows("audit.backlog"),
  ],
  explainsKib: riseOrLevel("kmalloc.2048.bytes", "kmalloc.256.bytes", "slab.skbuff_head_cache.bytes"),
  confirm: {
    command: "auditctl -s",
    reading: "backlog near backlog_limit, falling when the listener restarts, means this.",
  },
  mitigate: "Restart the listener (auditd, auditbeat); auditctl -e 0 stops the records.",
  fix: "Upgrade of the listener; a backlog limit of 8,192 or less.",
  affectedVersions: "Any kernel with auditd or auditbeat.",
  sources: ["elastic/beats#19644"],
};
