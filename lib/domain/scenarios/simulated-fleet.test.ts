import { describe, expect, it } from "vitest";
import { composeMemory } from "#lib/domain/memory/composition.ts";
import { smemTable } from "#lib/domain/memory/smem-table.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { snapshotSchema } from "#lib/domain/snapshot/schema.ts";
import { exitFileMoments } from "./exit-file-cluster.ts";
import { machineHistory, type Machine } from "./machine.ts";
import { sampleTimes, simulatedFleet } from "./simulated-fleet.ts";
import { isSimulated } from "./simulated-label.ts";

const ANCHOR_MS = Date.UTC(2026, 10, 30, 11, 20);
const { clusters, fromMs } = simulatedFleet(ANCHOR_MS, "full");

function machine(cluster: string, name: string): Machine {
  const found = clusters.find((each) => each.name === cluster)?.machines.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${cluster}/${name}`);
  return found;
}

function history(of: Machine, untilMs = ANCHOR_MS): Snapshot[] {
  const snapshots: Snapshot[] = [];
  for (const snapshot of machineHistory(of, sampleTimes(fromMs, ANCHOR_MS))) {
    if (snapshot.at > untilMs) break;
    snapshots.push(snapshot);
  }
  return snapshots;
}

function unaccountedKib({ meminfo, pcpFreePages = 0, vmapStack }: Snapshot): number {
  const composition = composeMemory({
    meminfo: (key) => meminfo[key],
    pcpFreeKib: 4 * pcpFreePages,
    vmapStack,
  });
  if (composition === undefined) throw new Error("the snapshot has MemTotal and MemFree");
  return composition.bands.unacc ?? Number.NaN;
}

describe("simulatedFleet", () => {
  it.each(clusters.map(({ name, machines }) => ({ name, machines })))(
    "$name: valid on the wire, says that it is simulated, and leaves little unaccounted",
    ({ machines }) => {
      for (const each of machines) {
        expect(isSimulated(each)).toBe(true);
        const snapshots = history(each);
        expect(snapshots.length).toBeGreaterThan(4500);
        for (const snapshot of snapshots.filter((_, index) => index % 397 === 0)) {
          expect(snapshotSchema.safeParse(snapshot).error?.issues).toBeUndefined();
          // Dead cgroups of kernel 3.10 hold per-CPU memory that it does not report.
          expect(unaccountedKib(snapshot)).toBeGreaterThan(1_000_000);
          expect(unaccountedKib(snapshot)).toBeLessThan(4_000_000);
        }
      }
    },
    20_000,
  );

  it("repeats itself, and a small one is a part of it", () => {
    const again = simulatedFleet(ANCHOR_MS, "small").clusters.find(({ name }) => name === "hermes");
    const h05 = again?.machines.find(({ name }) => name === "h05");
    expect(h05 && history(h05, ANCHOR_MS - 12 * 24 * 3_600_000)).toEqual(
      history(machine("hermes", "h05"), ANCHOR_MS - 12 * 24 * 3_600_000),
    );
  });

  it("holds the table that smem printed, to the kB", () => {
    const { smemMs } = exitFileMoments(ANCHOR_MS);
    const snapshot = history(machine("athena", "w01"), smemMs).at(-1);
    expect(snapshot?.at).toBe(smemMs);
    const table = smemTable((key) => snapshot?.meminfo[key], { kernelImageKib: snapshot?.kernelImageKib });
    expect(JSON.stringify(table)).toMatch(/24104020.*1735176.*22368844/);
  });

  it("stops the job at 04:15 GMT, twelve hours ago or more", () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const anchorMs = ANCHOR_MS + hour * 3_600_000;
      const { stoppedMs, removedMs } = exitFileMoments(anchorMs);
      expect(new Date(stoppedMs).toISOString()).toContain("T04:15:00");
      expect(anchorMs - stoppedMs).toBeGreaterThanOrEqual(12 * 3_600_000);
      expect(anchorMs - removedMs).toBeLessThan(36 * 3_600_000);
    }
  });

  it("runs out of memory-cgroup ids on kernel 3.10, and says so", () => {
    const snapshots = history(machine("hermes", "h01"));
    expect(snapshots.at(-1)?.cgroups?.memoryCount).toBe(65_535);
    expect(Math.max(...snapshots.map(({ cgroups }) => cgroups?.memoryCount ?? 0))).toBe(65_535);
    const refused = snapshots
      .flatMap(({ events = [] }) => events)
      .filter(({ text }) => /^mkdir .*memory/.test(text ?? ""));
    expect(refused.length).toBeGreaterThan(2);
  });

  it("tells its events by the kinds that collectors use", () => {
    const kinds = (cluster: string, name: string) => [
      ...new Set(
        history(machine(cluster, name)).flatMap(({ events = [] }) => events.map(({ kind }) => kind)),
      ),
    ];
    expect(kinds("hermes", "h01")).toEqual(["limit-reached", "eviction", "memory-pressure"]);
    expect(kinds("athena", "w02")).toEqual(["oom-kill"]);
  });

  it("gives all back at a reboot, and nothing at a stop", () => {
    const rebooted = history(machine("hermes", "h08"));
    expect(rebooted.at(-1)?.cgroups?.dying).toBe(0);
    const upgraded = history(machine("athena", "w04"));
    expect(upgraded.at(-1)?.cgroups?.dying).toBeGreaterThan(400_000);
  });
});
