import { objectsTimes } from "./explains.ts";
import { anyOf, grows, holds, holdsStill, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const inotifyLimit: Signature = {
  id: "S32",
  name: "inotify watches run out",
  kind: "limit",
  suspect: "inotify watches exhausted",
  what: "A watcher that forgets to unwatch, or many watchers of one user, meet the limit. 'no space left on device' from inotify_add_watch is about watches, not about a disk.",
  bands: ["sunrecl", "srecl"],
  provenBy: "state",
  key: anyOf(
    reported("inotify watches exhausted"),
    reported("inotify instances exhausted"),
    holds(
      "a user has more than 80 % of its watches",
      ["inotify.watches", "inotify.watches.max"],
      (used = 0, most = 0) => used > 0.8 * most,
    ),
  ),
  supports: [
    grows("inotify.watches"),
    holdsStill("tasks.threads"),
    reported("inotify watches exhausted"),
    reported("inotify instances exhausted"),
  ],
  explainsKib: objectsTimes("inotify.watches", () => 1.3),
  confirm: {
    command:
      "sysctl fs.inotify; grep -c '^inotify wd' /proc/*/fdinfo/* 2>/dev/null | grep -v ':0$' | sort -t: -k2 -rn | head",
    reading:
      "One process with most of the watches, rising while processes do not, leaks them; many with a few each need a higher limit.",
  },
  mitigate: "Raise fs.inotify.max_user_watches or max_user_instances; restart the watcher.",
  fix: "Upgrade of the watcher.",
  affectedVersions: "cAdvisor and kubelet of 2015 to 2018; any watcher.",
  sources: ["kubernetes/kubernetes#10421", "kubernetes/kubernetes#58081", "google/cadvisor#1581"],
};
