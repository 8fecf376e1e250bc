import { explainsNothingMeasured } from "./explains.ts";
import { grows, holdsStill, kernelBetween, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const falseTcpCounter: Signature = {
  id: "S22b",
  name: "The TCP memory counter rises and no memory does",
  kind: "not-a-leak",
  suspect: "counter bug (TCP memory)",
  what: "A fault of accounting on arm64: the counter drifts upwards although no memory is used. TCP is throttled by it all the same.",
  bands: [],
  provenBy: "growth",
  key: grows("sockstat.tcp.kib"),
  requires: [holdsStill("band.unacc")],
  supports: [holdsStill("band.unacc"), reported("TCP out of memory")],
  affects: (evidence) => {
    const kernel = kernelBetween("6.0", "6.9")(evidence);
    if (evidence.architecture === undefined || kernel.answer !== "yes") return kernel;
    return { ...kernel, answer: /^(?:aarch64|arm64)$/.test(evidence.architecture) ? "yes" : "no" };
  },
  explainsKib: explainsNothingMeasured,
  confirm: {
    command: "uname -rm; cat /proc/1/net/sockstat; ss -tmH | wc -l",
    reading:
      "mem far above what the queues of ss add up to, with unaccounted flat: the counter is wrong. Unaccounted rising with it: real buffers (S22).",
  },
  mitigate: "Reboot.",
  fix: "Kernel 6.9 or a back-port of 3584718cf2ec.",
  affectedVersions: "6.0 to 6.8 on arm64.",
  sources: ["amazonlinux/amazon-linux-2023#731", "commit 3584718cf2ec"],
};
