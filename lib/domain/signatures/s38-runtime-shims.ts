import { firstOf, objectsTimes } from "./explains.ts";
import { grows, holds, runs } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const runtimeShims: Signature = {
  id: "S38",
  name: "Container shims without a container",
  kind: "leak",
  suspect: "user-anon (container shims)",
  what: "containerd shims stay after their container is gone, about 10 MB of user memory each.",
  bands: ["anon"],
  provenBy: "growth",
  key: holds(
    "there are over five shims more than sandboxes",
    ["processes.shims", "sandboxes.count"],
    (shims = 0, sandboxes = 0) => shims - sandboxes > 5,
  ),
  requires: [grows("processes.shims")],
  supports: [
    grows("band.anon"),
    runs("containerd", (version) => /^2\.(?:0\.6|1\.4)\b/.test(version), "leaks shims"),
  ],
  explainsKib: firstOf(objectsTimes("processes.shims", () => 10 * 1024)),
  confirm: {
    command: "pgrep -c containerd-shim; crictl pods -q | wc -l",
    reading: "More shims than pods, and rising. Shims whose -id crictl does not know are the orphans.",
  },
  mitigate: "Kill shims whose task is gone; restart containerd.",
  fix: "containerd 2.0.7, 2.1.5 or newer.",
  affectedVersions: "containerd 2.0.6 and 2.1.4; older ones in the sources.",
  sources: [
    "containerd/containerd#12344",
    "containerd/containerd#4297",
    "containerd/containerd#9217",
    "bottlerocket-os/bottlerocket#4651",
    "moby/moby#40145",
  ],
};
