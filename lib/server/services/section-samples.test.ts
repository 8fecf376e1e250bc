import { describe, expect, it } from "vitest";

import { snapshotSchema, type SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { nextSectionSample } from "./section-samples.ts";

function snapshot(sections: Partial<SnapshotInput>) {
  return snapshotSchema.parse({
    schemaVersion: 1,
    node: "n",
    at: 100_000,
    bootId: "b",
    uptimeSeconds: 1,
    kernelRelease: "6.12.1",
    cpus: 2,
    meminfo: { MemTotal: 1 },
    ...sections,
  });
}

const conntrack = { count: 3 };

describe("nextSectionSample", () => {
  it("stores nothing of a snapshot without sections", () => {
    expect(nextSectionSample(undefined, snapshot({}))).toBe(undefined);
  });

  it("stores what each snapshot brings once a minute", () => {
    const counters = new Map([["conntrack.count", 3]]);
    expect(nextSectionSample(undefined, snapshot({ conntrack }))).toEqual({ counters });
    expect(nextSectionSample(55_000, snapshot({ conntrack }))).toBe(undefined);
    expect(nextSectionSample(42_000, snapshot({ conntrack }))).toEqual({ counters });
  });

  it("stores what comes rarely, and what comes with an event, whenever it comes", () => {
    const tasks = { processes: 1, zombies: 0, uninterruptible: 0 };
    expect(nextSectionSample(99_000, snapshot({ conntrack, tasks }))?.counters.get("tasks.zombies")).toBe(0);
    const events = [{ at: 100_000, kind: "oom", title: "OOM kill" }];
    expect(nextSectionSample(99_000, snapshot({ conntrack, events }))?.counters.size).toBe(1);
  });

  it("stores a snapshot older than the last, which came late", () => {
    expect(nextSectionSample(500_000, snapshot({ conntrack }))).toBeDefined();
  });

  it("keeps whole what says more than numbers", () => {
    const modules = [{ name: "zfs", sizeBytes: 5, taint: "POE" }];
    expect(nextSectionSample(undefined, snapshot({ modules }))?.details).toEqual({ modules });
  });
});
