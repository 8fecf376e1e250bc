import type { Machine } from "./machine.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const DAY_MS = 24 * 3_600_000;
const GIB = 1024 * 1024;

/** Nodes that leak nothing and are busy by day: what must not be called a leak. */
export function rhythmCluster(anchorMs: number): SimulatedCluster {
  return {
    name: "hestia",
    machines: Array.from({ length: 10 }, (_, index): Machine => {
      const isNewer = index % 2 === 0;
      return {
        name: `b${String(index + 1).padStart(2, "0")}`,
        seed: 300 + index,
        memTotalKib: 96 * GIB,
        cpus: 24,
        kernelRelease: isNewer ? "6.1.0-18-amd64" : "5.15.0-113-generic",
        versions: { containerd: "1.7.13", runc: "1.1.12", kubelet: "v1.28.6" },
        labels: { role: index < 2 ? "infra" : "worker" },
        cgroupMode: "v2",
        anonKib: (18 + 2 * index) * GIB,
        fileKib: 22 * GIB,
        reclaimableKib: 2 * GIB,
        dailyShare: 0.25 + 0.03 * index,
        noiseMib: 20,
        containersPerHour: 40 + 5 * index,
        containersLive: 46,
        leftBehind: { slabKib: 0, percpuKib: 0, exitFile: false },
        leakingShare: 0,
        bootedAtMs: anchorMs - (20 + index) * DAY_MS,
        deeds: index % 5 === 3 ? [{ atMs: anchorMs - 6.3 * DAY_MS, change: { kind: "reboot" } }] : [],
      };
    }),
    marks: [],
  };
}
