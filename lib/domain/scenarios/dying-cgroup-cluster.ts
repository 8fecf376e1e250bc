import type { Deed, Machine } from "./machine.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GIB = 1024 * 1024;

/** A pod of these nodes is three memory cgroups: its own, its pause and its container. */
const CGROUPS_PER_HOUR = 222;
/** Dead cgroups at which no other can be made: 65,535 less those alive. */
const FULL_AT = 65_535 - 2 * 34 - 60;
const LEAKY = "1.0.0-rc5";
const MENDED = "1.0.0-rc94";
const EL7 = "3.10.0-957.el7.x86_64";

const COMMON = {
  memTotalKib: 64 * GIB,
  cpus: 16,
  kernelRelease: EL7,
  versions: { docker: "18.06.1-ce", runc: LEAKY, kubelet: "v1.12.10" },
  labels: { role: "worker" },
  cgroupMode: "v1",
  anonKib: 17 * GIB,
  fileKib: 11 * GIB,
  reclaimableKib: 900 * 1024,
  dailyShare: 0.06,
  noiseMib: 2.5,
  containersPerHour: CGROUPS_PER_HOUR,
  containersLive: 34,
  leftBehind: { slabKib: 150, percpuKib: 28, exitFile: false },
  leakingShare: 1,
} as const;

/** Moments of the second history, epoch milliseconds: what was done to which node. */
export function dyingCgroupMoments(anchorMs: number) {
  const ago = (days: number) => Math.floor((anchorMs - days * DAY_MS) / HOUR_MS) * HOUR_MS;
  return {
    h03: { kubeletRestartedMs: ago(2.2) },
    h04: { replacedMs: ago(3.1) },
    h05: { replacedMs: ago(4.6), recreatedMs: ago(3.1) },
    h06: { replacedMs: ago(3.4), recreatedMs: ago(3.2), rebootedMs: ago(2.6) },
    /** Somebody looks some hours after the ids are used up: pods come at random, so that moment is known to an hour or two. */
    h01: { foundMs: ago(0.8) + 4 * HOUR_MS },
    h07: { fullMs: ago(5), replacedMs: ago(4), recreatedMs: ago(3.8) },
    h08: { fullMs: ago(6), replacedMs: ago(5.6), recreatedMs: ago(5.1), rebootedMs: ago(5) },
    fullMs: { h01: ago(0.8), h02: anchorMs + 1.1 * DAY_MS, h03: anchorMs + 4 * DAY_MS },
  };
}

/** Start of a boot whose ids are used up at `fullMs`. */
function bootOfFull(fullMs: number): number {
  return Math.round(fullMs - (FULL_AT / CGROUPS_PER_HOUR) * HOUR_MS);
}

/** @param bootedAtMs of its newest boot, unless a deed begins another; before that it was rebooted every nine days. */
function node(name: string, seed: number, bootedAtMs: number, deeds: readonly Deed[] = []): Machine {
  const boots = [bootedAtMs - 9 * DAY_MS, bootedAtMs].map(rebooted);
  return { ...COMMON, name, seed, bootedAtMs: bootedAtMs - 18 * DAY_MS, deeds: [...boots, ...deeds] };
}

/** A runc without accounting: new pods are clean at once, those that ran before go on leaking until they are made anew. */
function replaced(atMs: number): Deed[] {
  return [
    { atMs, change: { kind: "versions", versions: { runc: MENDED } } },
    { atMs, change: { kind: "leaves", share: 0.5 } },
  ];
}

const recreated = (atMs: number): Deed => ({ atMs, change: { kind: "leaves", share: 0 } });
const rebooted = (atMs: number): Deed => ({ atMs, change: { kind: "reboot" } });

/**
 * Memory cgroups that never die: kernel 3.10 with accounting of kernel memory keeps each dead one, and its id, of which
 * there are 65,535. The remedy goes node by node: another runc, pods made anew, and a reboot where ids had run out.
 */
export function dyingCgroupCluster(anchorMs: number): SimulatedCluster {
  const moments = dyingCgroupMoments(anchorMs);
  const { h01, h03, h04, h05, h06, h07, h08, fullMs } = moments;
  const newer = (name: string, seed: number, kernelRelease: string, runc: string): Machine => ({
    ...COMMON,
    name,
    seed,
    kernelRelease,
    versions: { ...COMMON.versions, runc },
    leakingShare: 0,
    bootedAtMs: anchorMs - 33 * DAY_MS,
    deeds: [],
  });
  const mark = (
    name: string,
    atMs: number,
    title: string,
    text: string,
    kind: "intervention" | "deploy" | "incident" = "intervention",
  ) => ({ atMs, kind, title, text, nodes: [name] });
  const MENDS =
    "A runc that switches accounting of kernel memory off. Pods that run already keep the old way.";
  const ANEW = "kubectl drain and uncordon: every pod of the node is a new one.";
  return {
    name: "hermes",
    machines: [
      node("h01", 201, bootOfFull(fullMs.h01)),
      node("h02", 202, bootOfFull(fullMs.h02)),
      node("h03", 203, bootOfFull(fullMs.h03)),
      node("h04", 204, anchorMs - 11 * DAY_MS, replaced(h04.replacedMs)),
      node("h05", 205, anchorMs - 10.5 * DAY_MS, [...replaced(h05.replacedMs), recreated(h05.recreatedMs)]),
      node("h06", 206, anchorMs - 12 * DAY_MS, [
        ...replaced(h06.replacedMs),
        recreated(h06.recreatedMs),
        rebooted(h06.rebootedMs),
      ]),
      node("h07", 207, bootOfFull(h07.fullMs), [...replaced(h07.replacedMs), recreated(h07.recreatedMs)]),
      node("h08", 208, bootOfFull(h08.fullMs), [
        ...replaced(h08.replacedMs),
        recreated(h08.recreatedMs),
        rebooted(h08.rebootedMs),
      ]),
      newer("h09", 209, "4.18.0-305.el8.x86_64", MENDED),
      newer("h10", 210, "4.18.0-305.el8.x86_64", LEAKY),
      newer("h11", 211, "5.15.0-113-generic", MENDED),
      newer("h12", 212, "5.15.0-113-generic", MENDED),
      ...[5.2, 6.1, 7.4, 8.8].map((daysLeft, index) =>
        node(`h${13 + index}`, 213 + index, bootOfFull(anchorMs + daysLeft * DAY_MS)),
      ),
    ],
    marks: [
      mark(
        "h01",
        h01.foundMs,
        "No pod starts any more",
        "mkdir: cannot allocate memory; the node is tainted with memory pressure although little memory is used.",
        "incident",
      ),
      mark(
        "h03",
        h03.kubeletRestartedMs,
        "kubelet restarted",
        "systemctl restart kubelet, hoping for a while.",
      ),
      mark("h04", h04.replacedMs, `runc replaced by ${MENDED}`, MENDS, "deploy"),
      mark("h05", h05.replacedMs, `runc replaced by ${MENDED}`, MENDS, "deploy"),
      mark("h05", h05.recreatedMs, "Pods recreated", ANEW),
      mark("h06", h06.replacedMs, `runc replaced by ${MENDED}`, MENDS, "deploy"),
      mark("h06", h06.recreatedMs, "Pods recreated", ANEW),
      mark("h06", h06.rebootedMs, "Rebooted", "The memory of the dead cgroups comes back only so."),
      mark("h07", h07.replacedMs, `runc replaced by ${MENDED}`, MENDS, "deploy"),
      mark("h07", h07.recreatedMs, "Pods recreated, node not rebooted", ANEW),
      mark("h08", h08.replacedMs, `runc replaced by ${MENDED}`, MENDS, "deploy"),
      mark(
        "h08",
        h08.rebootedMs,
        "Rebooted, pods recreated",
        "Its ids had run out: only a reboot gives them back.",
      ),
    ],
  };
}
