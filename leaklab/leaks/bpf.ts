import { endHolder, startPythonHolder } from "../holder.ts";
import { lacks, needsProgram, needsRoot, nothingStays, type BandChange, type Leak } from "../leak.ts";

/** The system call bpf by processor. */
const CALLS: Readonly<Record<string, number>> = { x64: 321, arm64: 280 };

/** BPF_MAP_CREATE with map type, key size, value size and entries. */
const MAKE = `
import struct
call, kind, key, value, entries = (int(each) for each in sys.argv[1:6])
attributes = ctypes.create_string_buffer(struct.pack("IIIII", kind, key, value, entries, 0).ljust(72, b"\\0"))
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(call, 0, attributes, 72) < 0: sys.exit("bpf: " + os.strerror(ctypes.get_errno()))
`;

function map(
  name: string,
  summary: string,
  sizes: (mib: number) => readonly [kind: number, key: number, value: number, entries: number],
  predict: (mib: number) => BandChange,
): Leak {
  return {
    name,
    summary,
    unit: "MiB",
    count: 64,
    most: 256,
    stays: false,
    missing: () =>
      lacks(
        needsRoot("making a map"),
        needsProgram("python3", "the system call bpf"),
        process.arch in CALLS ? false : `the number of bpf on ${process.arch} is not known here`,
      ),
    predict,
    async start(_place, count) {
      const child = await startPythonHolder(MAKE, CALLS[process.arch] ?? 0, ...sizes(count));
      return { made: count, release: () => endHolder(child) };
    },
    clean: nothingStays,
  };
}

/** An array map: its values lie in vmalloc. */
export const bpfArray = map(
  "bpf",
  "a BPF array map",
  (mib) => [2, 4, 4096, mib * 256],
  (mib) => ({ vmalloc: mib * 1024 }),
);

/** A ring buffer: pages that no counter of meminfo knows. */
export const bpfRing = map(
  "bpf-ring",
  "a BPF ring buffer, which no counter of meminfo knows",
  (mib) => [27, 0, 0, mib * 1024 * 1024],
  (mib) => ({ unacc: mib * 1024 }),
);
