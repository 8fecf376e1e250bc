import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import type { Rng } from "#lib/domain/statistics/rng.ts";
import { autoregressiveNoise } from "./noise.ts";
import type { WindowShape } from "./trend-free.ts";
import { noisyBoot, NOISE_SD_KIB, TREND_FREE_KINDS } from "./trend-free.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024;

/** One node of a fleet whose truth is known. */
export interface FleetNode {
  readonly name: string;
  /** What was drawn: "leak", or the kind of history that is none. */
  readonly kind: string;
  /** What it really leaks, KiB/h; 0 for every other kind. */
  readonly leakKibPerHour: number;
  readonly segments: readonly BootSegment[];
}

/**
 * A working day: quiet by night, up within two hours in the morning, a plateau, down over the evening. From 0 to 1 by the
 * hour of the day; no pure wave, so that a fit of waves leaves something over.
 */
export function workingDay(hour: number): number {
  const at = ((hour % 24) + 24) % 24;
  if (at < 7) return 0;
  if (at < 9) return (at - 7) / 2;
  if (at < 18) return 1;
  return (24 - at) / 6;
}

/** A leak from 2 to 512 MiB/h, each doubling equally likely, under noise of AR(1) 0.8 and a working day of up to 1 sd. */
function leak(rng: Rng, window: WindowShape): { kibPerHour: number; segments: BootSegment[] } {
  const kibPerHour = 2 * MIB * 2 ** (8 * rng.uniform());
  const swing = rng.uniform();
  const phase = 24 * rng.uniform();
  const level = (hour: number) => (kibPerHour * hour) / NOISE_SD_KIB + swing * workingDay(hour + phase);
  return { kibPerHour, segments: [noisyBoot(rng, window, 0.8, level)] };
}

/** A rhythm of 1 to 10 sd that is no wave, and no leak. */
function rhythm(rng: Rng, window: WindowShape): BootSegment[] {
  const swing = 1 + 9 * rng.uniform();
  const phase = 24 * rng.uniform();
  return [noisyBoot(rng, window, 0.8, (hour) => swing * workingDay(hour + phase))];
}

/**
 * A fleet in which 150 of 1,000 nodes leak, every tenth node has a rhythm that is no wave, and the others are of all kinds that
 * calibration knows to be no leak. Noise of 50 MiB (sd).
 */
export function leakyFleet(rng: Rng, window: WindowShape, nodes: number): FleetNode[] {
  return Array.from({ length: nodes }, (_, i) => {
    const name = `node-${i}`;
    if (i % 20 < 3) {
      const { kibPerHour, segments } = leak(rng, window);
      return { name, kind: "leak", leakKibPerHour: kibPerHour, segments };
    }
    if (i % 10 === 9) {
      return { name, kind: "working day", leakKibPerHour: 0, segments: rhythm(rng, window) };
    }
    const kind = TREND_FREE_KINDS[rng.integer(TREND_FREE_KINDS.length)] as (typeof TREND_FREE_KINDS)[number];
    return { name, kind: kind.name, leakKibPerHour: 0, segments: kind.draw(rng, window) };
  });
}

/** A leak on a node that reboots every one to three days, each time to a level of its own and with a warm-up of tau 1 h. */
export function rebootedLeak(rng: Rng, window: WindowShape, kibPerHour: number): BootSegment[] {
  const boots: BootSegment[] = [];
  for (let fromHour = 0; fromHour < window.hours;) {
    const hours = Math.min(window.hours - fromHour, 24 + 48 * rng.uniform());
    const start = fromHour;
    const base = 4 * rng.normal();
    boots.push(
      noisyBoot(
        rng,
        { ...window, hours },
        0.8,
        (hour) => base - 4 * Math.exp(-hour) + (kibPerHour * hour) / NOISE_SD_KIB,
        {
          bootId: `${boots.length}`,
          startMs: Math.round(start * HOUR_MS),
          bootedAtMs: Math.round(start * HOUR_MS),
        },
      ),
    );
    fromHour += hours;
  }
  return boots;
}

/**
 * A slow leak under the noise of a node of `node-history.ts`: its unreclaimable kernel memory, as means over five minutes of a
 * quiet node, has a standard deviation of 20 MiB and a lag-1 coefficient of 0.85 (measured over eight seeds of 48 h).
 */
export function slowLeak(
  rng: Rng,
  { hours, stepMinutes }: WindowShape,
  { mibPerHour, sdMib }: { readonly mibPerHour: number; readonly sdMib: number },
): BootSegment[] {
  const points = Math.round((hours * 60) / stepMinutes);
  const noise = autoregressiveNoise(rng, points, 0.85 ** (stepMinutes / 5), sdMib * MIB);
  return [
    {
      bootId: "a",
      timesMs: noise.map((_, i) => i * stepMinutes * 60_000),
      values: noise.map((value, i) => 8 * 1024 ** 2 + value + (mibPerHour * MIB * i * stepMinutes) / 60),
    },
  ];
}
