import { describe, expect, it } from "vitest";
import { adviseOnSource } from "./source-advice.ts";

describe("advice on a source", () => {
  it("is nothing for one that is read", () => {
    expect(adviseOnSource("slabinfo", "ok")).toBeUndefined();
  });

  it("names the least that allows it: uid 0 for slabinfo, a capability for namespaces", () => {
    expect(adviseOnSource("slabinfo", "denied")?.allow).toMatch(/uid 0; no capability replaces that/);
    expect(adviseOnSource("netns", "denied")?.allow).toContain("CAP_SYS_PTRACE");
    expect(adviseOnSource("kmsg", "denied")?.allow).toContain("kernel.dmesg_restrict=0");
    expect(adviseOnSource("watch:/run/crio/exits", "denied")?.allow).toContain("HostToContainer");
  });

  it("speaks of node_exporter where no collector runs", () => {
    const advice = adviseOnSource("slabinfo", "absent", "prometheus");
    expect(advice?.allow).toContain("--collector.slabinfo");
    expect(JSON.stringify(adviseOnSource("zoneinfo", "absent", "prometheus"))).not.toMatch(
      /--proc|In a pod|looks in another place/,
    );
  });

  it("promises no remedy where the kernel does not offer it", () => {
    expect(adviseOnSource("cgroups-created", "absent")?.allow).toContain("4.14");
    expect(adviseOnSource("something new", "absent")).toEqual({
      shows: "what this source alone tells",
      why: "not there: this kernel does not offer it, or the collector looks in another place",
      allow: undefined,
    });
  });
});
