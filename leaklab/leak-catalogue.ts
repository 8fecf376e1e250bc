import type { Leak } from "./leak.ts";
import { bpfArray, bpfRing } from "./leaks/bpf.ts";
import { pageTables, pipes, threads } from "./leaks/from-hold-memory.ts";
import { inotify } from "./leaks/inotify.ts";
import { keys } from "./leaks/keys.ts";
import { loopDevices } from "./leaks/loop-devices.ts";
import { negativeDentries } from "./leaks/negative-dentries.ts";
import { netns } from "./leaks/netns.ts";
import { packetRing } from "./leaks/packet-ring.ts";
import { pageCacheMemcgs } from "./leaks/page-cache-memcgs.ts";
import { sysvShm } from "./leaks/sysv-shm.ts";
import { tmpfs } from "./leaks/tmpfs.ts";
import { zombies } from "./leaks/zombies.ts";

/** Every leak of a known size, beside `exit-files`, which goes on by itself. */
export const LEAKS: readonly Leak[] = [
  pageCacheMemcgs,
  negativeDentries,
  threads,
  pageTables,
  pipes,
  tmpfs,
  sysvShm,
  netns,
  inotify,
  packetRing,
  zombies,
  loopDevices,
  keys,
  bpfArray,
  bpfRing,
];
