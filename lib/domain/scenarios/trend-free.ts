import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import type { Rng } from "#lib/domain/statistics/rng.ts";
import { autoregressiveNoise } from "./noise.ts";

const HOUR_MS = 3_600_000;

/** Standard deviation of the noise in all of these, KiB: 50 MiB. */
export const NOISE_SD_KIB = 50 * 1024;

/** A window to fill: so many hours, one point every so many minutes. */
export interface WindowShape {
  readonly hours: number;
  readonly stepMinutes: number;
}

/** A kind of history that is no leak, drawn at random; values in KiB around 8 GiB. */
export interface TrendFreeKind {
  readonly name: string;
  /** Largest share that may be called leaking. */
  readonly limit: number;
  readonly draw: (rng: Rng, window: WindowShape) => BootSegment[];
}

/** One boot of AR(1) noise around `level`, which is given in standard deviations of the noise, by hour of the window. */
export function noisyBoot(
  rng: Rng,
  { hours, stepMinutes }: WindowShape,
  phi: number,
  level: (hour: number) => number,
  boot: { bootId?: string; startMs?: number; bootedAtMs?: number } = {},
): BootSegment {
  const { bootId = "a", startMs = 0, bootedAtMs } = boot;
  const n = Math.round((hours * 60) / stepMinutes);
  const noise = autoregressiveNoise(rng, n, phi, NOISE_SD_KIB);
  return {
    bootId,
    bootedAtMs,
    timesMs: noise.map((_, i) => startMs + i * stepMinutes * 60_000),
    values: noise.map((value, i) => 8 * 1024 ** 2 + value + NOISE_SD_KIB * level((i * stepMinutes) / 60)),
  };
}

const between = (rng: Rng, low: number, high: number) => low + (high - low) * rng.uniform();

const ar = (phi: number): TrendFreeKind => ({
  name: phi === 0 ? "white noise" : `AR(1) ${phi}`,
  limit: 0.01,
  draw: (rng, window) => [noisyBoot(rng, window, phi, () => 0)],
});

const step = (sd: number, phi: number): TrendFreeKind => ({
  name: `one step of ${sd} sd, AR(1) ${phi}`,
  limit: 0.01,
  draw: (rng, window) => {
    const atHour = between(rng, 0, window.hours);
    return [noisyBoot(rng, window, phi, (hour) => (hour >= atHour ? sd : 0))];
  },
});

const warmUp = (tauHours: number): TrendFreeKind => ({
  name: `warm-up after boot, tau ${tauHours} h`,
  limit: 0.01,
  draw: (rng, window) => {
    const size = between(rng, 2, 40);
    return [
      noisyBoot(rng, window, 0.8, (hour) => size * (1 - Math.exp(-hour / tauHours)), { bootedAtMs: 0 }),
    ];
  },
});

/** The kinds that calibration runs over: what a fleet shows when nothing leaks. */
export const TREND_FREE_KINDS: readonly TrendFreeKind[] = [
  ...[0, 0.5, 0.8, 0.95].map(ar),
  ...[1, 2, 4, 8].flatMap((sd) => [step(sd, 0), step(sd, 0.8)]),
  ...[1, 2, 4, 8, 12].map(warmUp),
  {
    name: "daily cycle of 1 to 10 sd",
    limit: 0.01,
    draw: (rng, window) => {
      const size = between(rng, 1, 10);
      const phase = between(rng, 0, 24);
      return [noisyBoot(rng, window, 0.8, (hour) => size * Math.sin((2 * Math.PI * (hour + phase)) / 24))];
    },
  },
  {
    name: "page-cache churn: fills for 2 to 8 h, drops",
    limit: 0.01,
    draw: (rng, window) => {
      const drops = [0];
      while ((drops.at(-1) ?? 0) < window.hours + 8) drops.push((drops.at(-1) ?? 0) + between(rng, 2, 8));
      const phase = between(rng, 0, 8);
      const since = (hour: number) => hour - (drops.findLast((at) => at <= hour) ?? 0);
      return [noisyBoot(rng, window, 0.5, (hour) => 2 * since(hour + phase))];
    },
  },
  {
    name: "three boots, other levels, warm-ups of tau 1 to 4 h",
    limit: 0.01,
    draw: (rng, window) => {
      const hours = window.hours / 3;
      return [0, 1, 2].map((k) => {
        const level = between(rng, -20, 20);
        const tau = between(rng, 1, 4);
        const startMs = Math.round(k * hours * HOUR_MS);
        const boot = { bootId: `${k}`, startMs, bootedAtMs: startMs };
        return noisyBoot(rng, { ...window, hours }, 0.8, (hour) => level - 10 * Math.exp(-hour / tau), boot);
      });
    },
  },
  {
    name: "missing data: 40 % lost and a hole of a sixth",
    limit: 0.01,
    draw: (rng, window) => {
      const boot = noisyBoot(rng, window, 0.8, () => 0);
      const from = rng.integer(boot.values.length);
      const hole = boot.values.length / 6;
      return [
        {
          ...boot,
          values: boot.values.map((value, i) =>
            rng.uniform() < 0.4 || (i >= from && i < from + hole) ? null : value,
          ),
        },
      ];
    },
  },
  {
    name: "reset: falls by 40 sd at once, refills with tau 1 h",
    limit: 0.01,
    draw: (rng, window) => {
      const atHour = between(rng, 0, window.hours);
      return [noisyBoot(rng, window, 0.8, (hour) => (hour < atHour ? 0 : -40 * Math.exp(atHour - hour)))];
    },
  },
  {
    name: "random walk",
    limit: 0.05,
    draw: (rng, window) => {
      const boot = noisyBoot(rng, window, 0, () => 0);
      let level = 8 * 1024 ** 2;
      return [{ ...boot, values: boot.values.map(() => (level += 0.2 * NOISE_SD_KIB * rng.normal())) }];
    },
  },
];

/** A real leak: a straight rise of `sd` standard deviations over the window, AR(1) 0.8. */
export function steadyLeak(rng: Rng, window: WindowShape, sd: number): BootSegment[] {
  return [noisyBoot(rng, window, 0.8, (hour) => (sd * hour) / window.hours)];
}
