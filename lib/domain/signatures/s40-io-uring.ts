import { riseOrLevel } from "./explains.ts";
import { anyOf, grows, growsOrHolds, holds, kernelBetween } from "./sign.ts";
import type { Signature } from "./signature.ts";

export const ioUring: Signature = {
  id: "S40",
  name: "io_uring rings and sockets without descriptors",
  kind: "leak",
  suspect: "io_uring",
  what: "Rings are raw pages; direct descriptors keep files and sockets that no fd shows. 5.12 to 5.13.5 leaked the work queue.",
  bands: ["unacc", "sunrecl"],
  provenBy: "growth",
  key: anyOf(
    growsOrHolds("slab.io_kiocb.bytes", { ofTotal: 0.005, kib: 128 * 1024 }),
    holds(
      "there are far more sockets than open files",
      ["sockets.count", "fs.fileNr.allocated"],
      (sockets = 0, files = 0) => sockets > 2 * files && sockets > 10_000,
    ),
  ),
  supports: [
    grows("band.unacc"),
    grows("meminfo.SUnreclaim"),
    kernelBetween("5.12", "5.13.6"),
    grows("sockets.count"),
  ],
  explainsKib: riseOrLevel("slab.io_kiocb.bytes"),
  confirm: {
    command:
      "ls -l /proc/*/fd 2>/dev/null | grep -c io_uring; cat /proc/1/net/sockstat; cat /proc/sys/fs/file-nr",
    reading: "All of it goes when the process with the rings ends: this. It stays: the kernel lost it.",
  },
  mitigate: "Restart the process.",
  fix: "Kernel 5.13.6 or newer; kernel.io_uring_disabled from 6.6 on.",
  affectedVersions: "5.12 to 5.13.5 for the work queue; programs with direct descriptors.",
  sources: ["axboe/liburing#1192"],
};
