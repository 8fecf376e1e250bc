import { firstOf, objectsTimes, riseOrLevel } from "./explains.ts";
import { anyOf, grows, growsOrHolds, holds, reported } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const keyrings: Signature = {
  id: "S31",
  name: "Session keyrings of containers",
  kind: "leak",
  suspect: "keyrings",
  what: "Runtimes make a session keyring for each container and exec. What is left behind meets the user's quota: 'create session key: disk quota exceeded'.",
  bands: ["sunrecl"],
  provenBy: "growth",
  key: anyOf(
    reported("session key not made: quota"),
    holds(
      "a user has more than 80 % of its keys",
      ["keys.quota.used", "keys.quota.max"],
      (used = 0, most = 0) => used > 0.8 * most,
    ),
    grows("keyUsers.nkeys"),
    growsOrHolds("slab.key_jar.bytes", { ofTotal: 0.005, kib: 64 * 1024 }),
  ),
  supports: [reported("session key not made: quota"), grows("keyUsers.nkeys"), grows("slab.key_jar.bytes")],
  explainsKib: firstOf(
    objectsTimes("keyUsers.nkeys", () => 0.55),
    riseOrLevel("slab.key_jar.bytes"),
  ),
  confirm: {
    command: "cat /proc/key-users; cat /proc/keys | awk '{print $8, $9}' | sort | uniq -c | sort -rn | head",
    reading:
      "The third column near its limit, keys named _ses.* beyond the number of containers: left-over keyrings.",
  },
  mitigate: "Raise kernel.keys.maxkeys and maxbytes.",
  fix: "no_new_keyring of the runtime, or its upgrade.",
  affectedVersions: "runc and crun of the sources. A user other than root has 200 keys and 20,000 bytes.",
  sources: [
    "containers/crun#1148",
    "containers/podman#13363",
    "opencontainers/runc#726",
    "nestybox/sysbox#332",
  ],
};
