import { describe, expect, it } from "vitest";
import { studyEffect } from "#lib/domain/analysis/event-study.ts";
import { composeMemory } from "#lib/domain/memory/composition.ts";
import type { Snapshot } from "#lib/domain/snapshot/schema.ts";
import { machineHistory } from "./machine.ts";
import { sampleTimes, simulatedFleet } from "./simulated-fleet.ts";

const HOUR_MS = 3_600_000;
const BUCKET_MS = 300_000;

function unreclaimableKib({ meminfo, pcpFreePages = 0, vmapStack }: Snapshot): number {
  const memory = composeMemory({ meminfo: (key) => meminfo[key], pcpFreeKib: 4 * pcpFreePages, vmapStack });
  if (memory === undefined) throw new Error("the snapshot has MemTotal and MemFree");
  return memory.kernelUnreclaimableKib;
}

/** Boots of a machine around a moment, in means of five minutes as roll-ups have them. */
function bootsAround(snapshots: readonly Snapshot[], atMs: number) {
  const boots = new Map<string, Map<number, { timeMs: number; sum: number; n: number }>>();
  const bootedAtMs = new Map<string, number>();
  for (const snapshot of snapshots) {
    if (Math.abs(snapshot.at - atMs) > 8 * HOUR_MS) continue;
    const buckets =
      boots.get(snapshot.bootId) ?? new Map<number, { timeMs: number; sum: number; n: number }>();
    boots.set(snapshot.bootId, buckets);
    bootedAtMs.set(snapshot.bootId, snapshot.at - 1000 * snapshot.uptimeSeconds);
    const bucket = Math.floor(snapshot.at / BUCKET_MS);
    const { timeMs, sum, n } = buckets.get(bucket) ?? { timeMs: 0, sum: 0, n: 0 };
    buckets.set(bucket, { timeMs: timeMs + snapshot.at, sum: sum + unreclaimableKib(snapshot), n: n + 1 });
  }
  return [...boots].map(([bootId, buckets]) => ({
    bootId,
    bootedAtMs: bootedAtMs.get(bootId),
    timesMs: [...buckets.values()].map(({ timeMs, n }) => timeMs / n),
    values: [...buckets.values()].map(({ sum, n }) => sum / n),
  }));
}

/** Node, mark, and the verdicts on slope and level that the stories promise. */
const PROMISED = [
  ["w01", "CRI-O restarted", "unchanged", "none"],
  ["w01", "pull-monitor stopped at 04:15 GMT", "stopped", "none"],
  ["w01", "Exit files removed", undefined, "freed"],
  ["h03", "kubelet restarted", "unchanged", "none"],
  ["h04", "runc replaced by 1.0.0-rc94", "slowed", undefined],
  ["h05", "Pods recreated", "stopped", "none"],
  ["h08", "Rebooted, pods recreated", undefined, "freed"],
] as const;

describe("simulatedFleet", () => {
  // What is drawn depends on the hour: it shifts the deeds against the noise.
  it.each(Array.from({ length: 24 }, (_, hour) => hour))(
    "keeps what the stories promise, told at %i h",
    (hour) => {
      const anchorMs = Date.UTC(2026, 10, 30, hour, (7 * hour) % 60);
      const { clusters, fromMs } = simulatedFleet(anchorMs, "small");
      const machines = new Map(
        clusters.flatMap((each) => each.machines.map((machine) => [machine.name, machine])),
      );
      const histories = new Map<string, Snapshot[]>();
      for (const [name, title, slope, level] of PROMISED) {
        const machine = machines.get(name);
        if (machine === undefined) throw new Error(`no ${name}`);
        const own = clusters.flatMap(({ marks }) => marks.filter(({ nodes }) => nodes.includes(name)));
        const mark = own.find((each) => each.title === title);
        if (mark === undefined) throw new Error(`no mark ${title}`);
        let snapshots = histories.get(name);
        if (snapshots === undefined) {
          snapshots = [];
          for (const snapshot of machineHistory(machine, sampleTimes(fromMs, anchorMs))) {
            if (snapshot.at > anchorMs) break;
            snapshots.push(snapshot);
          }
          histories.set(name, snapshots);
        }
        const effect = studyEffect({
          segments: bootsAround(snapshots, mark.atMs),
          atMs: mark.atMs,
          beforeMs: 6 * HOUR_MS,
          afterMs: 6 * HOUR_MS,
          neighboursMs: own.filter((each) => each !== mark).map(({ atMs }) => atMs),
          nowMs: anchorMs,
          memTotalKib: machine.memTotalKib,
        });
        const found = effect.kind === "effect" ? effect : undefined;
        expect
          .soft({ name, title, slope: slope && found?.slopeVerdict, level: level && found?.levelVerdict })
          .toEqual({
            name,
            title,
            slope,
            level,
          });
      }
    },
  );
});
