import { endHolder, startPythonHolder } from "../holder.ts";
import { lacks, needsProgram, needsRoot, nothingStays, type Leak } from "../leak.ts";

/** A ring of blocks of 1 MiB: pages that a driver takes straight from the allocator, as network cards do. */
const MAKE = `
import socket, struct
blocks = int(sys.argv[1])
ring = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
ring.setsockopt(263, 5, struct.pack("IIII", 1 << 20, blocks, 2048, blocks * 512))
`;

/** The receive ring of a packet socket: pages of a driver, which no counter of meminfo knows. */
export const packetRing: Leak = {
  name: "packet-ring",
  summary: "pages taken as a driver takes them, which no counter of meminfo knows",
  unit: "MiB",
  count: 64,
  most: 256,
  stays: false,
  missing: () =>
    lacks(needsRoot("a packet socket"), needsProgram("python3", "the receive ring of a packet socket")),
  predict: (mib) => ({ unacc: mib * 1024 }),
  async start(_place, count) {
    const child = await startPythonHolder(MAKE, count);
    return { made: count, release: () => endHolder(child) };
  },
  clean: nothingStays,
};
