import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runPython } from "../holder.ts";
import { lacks, needsProgram, type Leak } from "../leak.ts";

/** "PLM" and a number: segments with other keys are not the lab's. */
const KEY = 0x504c4d00;
const SEGMENT_MIB = 8;

/** Making a segment takes no memory yet: it is attached, written and detached. */
const MAKE = `
key, count, size = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
libc.shmdt.argtypes = [ctypes.c_void_p]
libc.shmget.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_int]
for index in range(count):
    segment = libc.shmget(key + index, size, 0o1600 | 0o2000)
    if segment < 0: sys.exit("shmget: " + os.strerror(ctypes.get_errno()))
    at = libc.shmat(segment, None, 0)
    if at in (None, ctypes.c_void_p(-1).value): sys.exit("shmat: " + os.strerror(ctypes.get_errno()))
    ctypes.memset(at, 1, size)
    libc.shmdt(at)
`;

/** Ids of the lab's segments, from the text of /proc/sysvipc/shm. */
export function ownSegments(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const [key, id] = line.trim().split(/\s+/);
    const number = Number(key) >>> 0;
    return id !== undefined && number >= KEY && number < KEY + 256 ? [id] : [];
  });
}

async function clean(): Promise<string> {
  const ids = ownSegments(readFileSync("/proc/sysvipc/shm", "utf8"));
  for (const id of ids) execFileSync("ipcrm", ["-m", id], { stdio: ["ignore", "ignore", "pipe"] });
  return ids.length === 0 ? "" : `${ids.length} shared memory segments`;
}

/** Shared memory segments that nothing is attached to: they stay until somebody removes them. */
export const sysvShm: Leak = {
  name: "sysv-shm",
  summary: "System V shared memory that no process is attached to",
  unit: "MiB",
  count: 64,
  most: 256,
  stays: true,
  missing: () =>
    lacks(
      needsProgram("python3", "attaching a segment (ipcmk makes one without a page)"),
      needsProgram("ipcrm", "removing a segment"),
    ),
  predict: (mib) => ({ shmem: mib * 1024 }),
  async start(_place, count) {
    const segments = Math.max(1, Math.round(count / SEGMENT_MIB));
    runPython(MAKE, KEY, segments, SEGMENT_MIB * 1024 * 1024);
    return { made: segments * SEGMENT_MIB, release: async () => void (await clean()) };
  },
  clean,
};
