import { describe, expect, it } from "vitest";
import { deedKind } from "./deed-kind.ts";

const intervention = (title: string, text: string | null = null) => ({ kind: "intervention", title, text });

describe("deedKind", () => {
  it.each([
    [
      intervention("CRI-O restarted", "systemctl restart crio, while pull-monitor goes on."),
      "runtime-restarted",
    ],
    [intervention("pull-monitor stopped at 04:15 GMT"), "job-stopped"],
    [intervention("Exit files removed", "find /run/crio/exits -type f -mmin +60 -delete"), "files-removed"],
    [intervention("Cleaned up", "find /run/crio/exits -type f -mmin +60 -delete"), "files-removed"],
    [intervention("log shipper restarted"), "process-restarted"],
    [intervention("echo 2 > /proc/sys/vm/drop_caches"), "drop-caches-2"],
    [intervention("drop_caches=3"), "drop-caches-3"],
    [intervention("cronjob image-check suspended"), "job-stopped"],
    [
      { kind: "drop-caches", title: "Reclaimable slab was dropped by hand (drop_caches)", text: null },
      "drop-caches-2",
    ],
    [
      { kind: "drop-caches", title: "The page cache was dropped by hand (drop_caches)", text: null },
      "drop-caches-1",
    ],
  ])("%o", (mark, kind) => {
    expect(deedKind(mark)).toBe(kind);
  });

  it.each([
    [intervention("memory limit of the agent raised")],
    [intervention("Had a look")],
    [{ kind: "note", title: "CRI-O restarted", text: null }],
    [{ kind: "reboot", title: "Reboot", text: null }],
  ])("does not guess: %o", (mark) => {
    expect(deedKind(mark)).toBeUndefined();
  });
});
