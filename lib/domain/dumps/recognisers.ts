import type { Recogniser } from "./artefact.ts";
import { clockDump } from "./clock-dump.ts";
import { countDump } from "./count-dump.ts";
import { crashKmemDump } from "./crash-kmem-dump.ts";
import { dfDump } from "./df-dump.ts";
import { flatFileDump } from "./flat-file-dump.ts";
import { freeDump } from "./free-dump.ts";
import { fsCountersDump } from "./fs-counters-dump.ts";
import { meminfoDump } from "./meminfo-dump.ts";
import { messageDump } from "./message-dump.ts";
import { nodeMeminfoDump } from "./node-meminfo-dump.ts";
import { oomDump } from "./oom-dump.ts";
import { otherKernelFileDump } from "./other-kernel-file-dump.ts";
import { pageTypesDump } from "./page-types-dump.ts";
import { procCgroupsDump } from "./proc-cgroups-dump.ts";
import { processMemoryDump } from "./process-memory-dump.ts";
import { sarDump } from "./sar-dump.ts";
import { sadfDump } from "./sadf-dump.ts";
import { slabinfoDump } from "./slabinfo-dump.ts";
import { slabNamesDump } from "./slab-names-dump.ts";
import { slabtopDump } from "./slabtop-dump.ts";
import { smemDump } from "./smem-dump.ts";
import { sockstatDump } from "./socket-dump.ts";
import { kubectlTopDump, topDump, vmstatCommandDump, vmstatTotalsDump, xsosDump } from "./summary-dump.ts";
import { unreclaimableSlabDump } from "./unreclaimable-slab-dump.ts";
import { vmallocinfoDump } from "./vmallocinfo-dump.ts";
import { arcstatsDump, arcstatTableDump, splSlabDump, zfsOptionsDump } from "./zfs-dump.ts";
import { buddyinfoDump, zoneinfoDump } from "./zone-files-dump.ts";

/**
 * All recognisers, the most particular first: each gets the lines that those before it left. The order is also that of
 * trust: when two artefacts give the same number under the same name, the earlier kind's counts.
 */
export const RECOGNISERS: readonly Recogniser[] = [
  sadfDump,
  sarDump,
  messageDump,
  processMemoryDump,
  nodeMeminfoDump,
  meminfoDump,
  slabNamesDump,
  slabinfoDump,
  slabtopDump,
  unreclaimableSlabDump,
  zoneinfoDump,
  oomDump,
  pageTypesDump,
  procCgroupsDump,
  vmallocinfoDump,
  buddyinfoDump,
  sockstatDump,
  splSlabDump,
  arcstatsDump,
  arcstatTableDump,
  zfsOptionsDump,
  flatFileDump,
  crashKmemDump,
  smemDump,
  xsosDump,
  freeDump,
  topDump,
  kubectlTopDump,
  vmstatCommandDump,
  vmstatTotalsDump,
  dfDump,
  clockDump,
  otherKernelFileDump,
  fsCountersDump,
  countDump,
];
