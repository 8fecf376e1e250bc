import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { BANDS, type BandKey } from "#lib/domain/memory/bands.ts";
import { composeMemory, reportedBands } from "#lib/domain/memory/composition.ts";
import { parseZoneinfo } from "#lib/domain/procfs/zoneinfo.ts";
import { CannotRun, readMeminfo } from "./machine.ts";

const PAGE_KIB = 4;

/** KiB of each band that this kernel reports. */
export type Bands = ReadonlyMap<BandKey, number>;

/** Bands over a moment: their means, and how far each moved by itself meanwhile. */
export interface BandReading {
  readonly meanKib: Bands;
  /** Largest less smallest of the readings. */
  readonly noiseKib: Bands;
}

/** The composition of this machine's memory now, by the product's own formula. */
export function readBands(): Bands {
  const meminfo = readMeminfo();
  const zones = parseZoneinfo(readFileSync("/proc/zoneinfo", "utf8")).value.zones;
  const pcpPages = zones.reduce((sum, zone) => sum + (zone.pcpPages ?? 0), 0);
  const composed = composeMemory({
    meminfo: (key) => meminfo.get(key),
    pcpFreeKib: pcpPages * PAGE_KIB,
    zspagesKib: 0,
  });
  if (composed === undefined) throw new CannotRun("/proc/meminfo has no MemTotal or no MemFree");
  return new Map(reportedBands(composed).map(({ key, kib }) => [key, kib]));
}

/** Reads the bands several times over a moment. */
export async function sampleBands(times: number, everyMs: number): Promise<BandReading> {
  const readings: Bands[] = [];
  for (let index = 0; index < times; index += 1) {
    if (index > 0) await sleep(everyMs);
    readings.push(readBands());
  }
  return summarise(readings);
}

/** Mean and noise of some readings. Pure. */
export function summarise(readings: readonly Bands[]): BandReading {
  const meanKib = new Map<BandKey, number>();
  const noiseKib = new Map<BandKey, number>();
  for (const { key } of BANDS) {
    const values = readings.flatMap((reading) => reading.get(key) ?? []);
    if (values.length === 0 || values.length < readings.length) continue;
    meanKib.set(key, values.reduce((sum, value) => sum + value, 0) / values.length);
    noiseKib.set(key, Math.max(...values) - Math.min(...values));
  }
  return { meanKib, noiseKib };
}
