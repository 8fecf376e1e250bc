import { endHolder, startPythonHolder } from "../holder.ts";
import { lacks, needsProgram, needsRoot, nothingStays, type Leak } from "../leak.ts";

/** add_key and keyctl by processor. */
const CALLS: Readonly<Record<string, readonly [addKey: number, keyctl: number]>> = {
  x64: [248, 250],
  arm64: [217, 219],
};

/** In a session keyring of its own, which ends with the process. */
const MAKE = `
count, add_key, keyctl = (int(each) for each in sys.argv[1:4])
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(keyctl, 1, None) < 0: sys.exit("keyctl: " + os.strerror(ctypes.get_errno()))
payload = b"x" * 200
for index in range(count):
    if libc.syscall(add_key, b"user", b"plumbline-%d" % index, payload, ctypes.c_size_t(200), -3) < 0:
        sys.exit("add_key %d: %s" % (index, os.strerror(ctypes.get_errno())))
`;

/** Keys of the kernel's key store, as a service leaves them that makes one for each request. */
export const keys: Leak = {
  name: "keys",
  summary: "keys in the kernel's key store",
  unit: "keys",
  count: 20_000,
  most: 100_000,
  stays: false,
  missing: () =>
    lacks(
      needsRoot("more than 200 keys"),
      needsProgram("python3", "add_key"),
      process.arch in CALLS ? false : `the number of add_key on ${process.arch} is not known here`,
    ),
  predict: (count) => ({ sunrecl: Math.round(count * 0.55) }),
  async start(_place, count) {
    const child = await startPythonHolder(MAKE, count, ...(CALLS[process.arch] ?? []));
    return { made: count, release: () => endHolder(child) };
  },
  clean: nothingStays,
};
