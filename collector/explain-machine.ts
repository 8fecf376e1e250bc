import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { explainEvidence, type Explanation } from "#lib/domain/diagnosis/explain.ts";
import { evidenceFromDump } from "#lib/domain/diagnosis/evidence-from-dump.ts";
import { composeSnapshot, evidenceFromSnapshots } from "#lib/domain/diagnosis/evidence-from-snapshot.ts";
import { readDump } from "#lib/domain/dumps/read-dump.ts";
import { parseForeignModules } from "#lib/domain/procfs/foreign-modules.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import type { SampleConfig } from "./config.ts";
import { readSource } from "./read-sources.ts";
import { createSampler } from "./sampler.ts";
import { COLLECTOR_VERSION, readSelf } from "./self.ts";
import { createVersionReader } from "./versions.ts";

/** Small files beside those of a snapshot; they are read as if somebody had pasted them. */
const FILES = [
  ...["meminfo", "zoneinfo", "vmstat", "slabinfo", "vmallocinfo", "cgroups", "1/net/sockstat"],
  ...["sys/fs/dentry-state", "sys/fs/inode-nr", "sys/fs/file-nr"],
];

/**
 * Reads this machine through the collector's own sources and says what it means; with `overMs` twice, so far apart, so
 * that growth shows. `undefined` when there is no /proc/meminfo to read. Changes nothing.
 */
export async function explainMachine(
  config: SampleConfig,
  overMs: number | undefined,
): Promise<Explanation | undefined> {
  const versions = createVersionReader(config.places.root, COLLECTOR_VERSION);
  await versions.refresh();
  // A new sampler for each reading: one of its own would leave out the second time what is dear to read.
  const take = () => {
    const sampler = createSampler(config, { now: Date.now, monotonicMs: () => performance.now() });
    const { snapshot } = sampler.sample({ versions: versions.current(), self: readSelf() });
    return { snapshot, reading: readFiles(config) };
  };
  const taken = [take()];
  if (overMs !== undefined) {
    await wait(overMs);
    taken.push(take());
  }
  const reading = taken.at(-1)?.reading;
  const whole = taken.flatMap(({ snapshot, reading: each }) =>
    snapshot === undefined ? [] : [{ snapshot, more: evidenceFromDump(each).levels }],
  );
  const snapshot: SnapshotInput | undefined = whole.at(-1)?.snapshot;
  if (reading === undefined || snapshot === undefined) return undefined;
  const modules = readSource(path.join(config.places.proc, "modules")).text;
  return explainEvidence(
    {
      ...evidenceFromSnapshots(whole),
      architecture: process.arch === "arm64" ? "aarch64" : process.arch,
      ...(modules === undefined ? {} : { foreignModules: parseForeignModules(modules) }),
    },
    {
      ...reading,
      composition: composeSnapshot(snapshot),
      composedMeminfo: new Map(Object.entries(snapshot.meminfo)),
      kernelRelease: snapshot.kernelRelease,
    },
  );
}

function readFiles({ places }: SampleConfig): ReturnType<typeof readDump> {
  const parts = FILES.flatMap((file) => {
    const { text } = readSource(path.join(places.proc, file));
    return text === undefined ? [] : [`==> /proc/${file} <==\n${text.endsWith("\n") ? text : `${text}\n`}`];
  });
  return readDump(parts.join("\n"));
}
