import type { BootSegment } from "#lib/domain/analysis/boot-segments.ts";
import type { Rng } from "#lib/domain/statistics/rng.ts";
import { autoregressiveNoise } from "./noise.ts";

const MINUTE_MS = 60_000;
/** Containers are started so long before the window too, so that it begins with some alive. */
const LEAD_MINUTES = 7 * 60;
const BASE_KIB = 2 * 1024 ** 2;

/** How the rate of container creation moves, as a factor on its mean. */
export type RateShape =
  /** The same all the time. */
  | "steady"
  /** Wanders within a factor of about two to either side, over hours. */
  | "wandering"
  /** A job that runs for 20 min to 4 h, then rests as long. */
  | "jobs"
  /** By the hour of the day, by 80 %. */
  | "daily";

/** What a node does, and what is true of it. */
export interface ChurnOptions {
  readonly hours: number;
  readonly stepMinutes: number;
  readonly containersPerHour: number;
  readonly rate: RateShape;
  /** Shortest and longest life of a container; drawn for each, evenly in the logarithm. */
  readonly lifeMinutes: readonly [number, number];
  /** Least and most that one holds while it lives, KiB; drawn for each, evenly. */
  readonly liveKib: readonly [number, number];
  /** What each leaves behind for good, from when it starts. */
  readonly leftBehindKib: number;
  /** Growth that has nothing to do with containers. */
  readonly backgroundKibPerHour: number;
  readonly noise: ChurnNoise;
}

/** AR(1) noise with `phi` from point to point, or a random walk with this step from point to point. */
export type ChurnNoise =
  | { readonly kind: "ar1"; readonly phi: number; readonly sdKib: number }
  | { readonly kind: "walk"; readonly stepSdKib: number };

/** Three series of one boot on one time axis, each point the mean of its bucket. */
export interface Churn {
  readonly memory: BootSegment;
  /** Containers started since boot. */
  readonly created: BootSegment;
  readonly live: BootSegment;
}

/** Draws a node that starts and ends containers, minute by minute, with a known truth. */
export function containerChurn(rng: Rng, options: ChurnOptions): Churn {
  const minutes = options.hours * 60;
  const factors = rateFactors(rng, options.rate, LEAD_MINUTES + minutes);
  const started = new Float64Array(minutes);
  const alive = new Float64Array(minutes + 1);
  const held = new Float64Array(minutes + 1);
  const [shortest, longest] = options.lifeMinutes;
  const [least, most] = options.liveKib;
  let before = 0;
  factors.forEach((factor, index) => {
    const count = rng.poisson((options.containersPerHour * factor) / 60);
    const minute = index - LEAD_MINUTES;
    if (minute < 0) before += count;
    else started[minute] = count;
    for (let k = 0; k < count; k += 1) {
      const life = Math.round(shortest * (longest / shortest) ** rng.uniform());
      const kib = least + (most - least) * rng.uniform();
      const from = Math.max(0, minute);
      const to = Math.min(minutes, minute + life);
      if (to <= from) continue;
      alive[from] = (alive[from] ?? 0) + 1;
      alive[to] = (alive[to] ?? 0) - 1;
      held[from] = (held[from] ?? 0) + kib;
      held[to] = (held[to] ?? 0) - kib;
    }
  });
  const points = Math.floor(minutes / options.stepMinutes);
  const noise = noiseOf(rng, points, options.noise);
  const timesMs: number[] = [];
  const memory: number[] = [];
  const created: number[] = [];
  const live: number[] = [];
  let total = before;
  let aliveNow = 0;
  let heldNow = 0;
  for (let point = 0; point < points; point += 1) {
    let totals = 0;
    let lives = 0;
    let holdings = 0;
    for (let k = 0; k < options.stepMinutes; k += 1) {
      const minute = point * options.stepMinutes + k;
      total += started[minute] ?? 0;
      aliveNow += alive[minute] ?? 0;
      heldNow += held[minute] ?? 0;
      totals += total / options.stepMinutes;
      lives += aliveNow / options.stepMinutes;
      holdings += heldNow / options.stepMinutes;
    }
    timesMs.push(point * options.stepMinutes * MINUTE_MS);
    created.push(totals);
    live.push(lives);
    memory.push(
      BASE_KIB +
        options.leftBehindKib * totals +
        holdings +
        (options.backgroundKibPerHour * point * options.stepMinutes) / 60 +
        (noise[point] ?? 0),
    );
  }
  const boot = (values: number[]): BootSegment => ({ bootId: "a", timesMs, values });
  return { memory: boot(memory), created: boot(created), live: boot(live) };
}

function rateFactors(rng: Rng, shape: RateShape, minutes: number): number[] {
  switch (shape) {
    case "steady":
      return new Array<number>(minutes).fill(1);
    case "wandering":
      return autoregressiveNoise(rng, minutes, 1 - 1 / 240, 0.6).map((value) => Math.exp(value - 0.18));
    case "daily": {
      const phase = 1440 * rng.uniform();
      return Array.from(
        { length: minutes },
        (_, minute) => 1 + 0.8 * Math.sin((2 * Math.PI * (minute + phase)) / 1440),
      );
    }
    case "jobs": {
      const factors: number[] = [];
      let runs = rng.uniform() < 0.5;
      while (factors.length < minutes) {
        const length = 20 + 220 * rng.uniform();
        for (let k = 0; k < length; k += 1) factors.push(runs ? 1.9 : 0.1);
        runs = !runs;
      }
      return factors.slice(0, minutes);
    }
  }
}

function noiseOf(rng: Rng, points: number, noise: ChurnNoise): number[] {
  if (noise.kind === "ar1") return autoregressiveNoise(rng, points, noise.phi, noise.sdKib);
  let level = 0;
  return Array.from({ length: points }, () => (level += noise.stepSdKib * rng.normal()));
}

/** The three series as one boot of the correlation. */
export function containerBoot({ memory, created, live }: Churn): BootSegment & {
  readonly created: readonly (number | null)[];
  readonly live: readonly (number | null)[];
} {
  return { ...memory, created: created.values, live: live.values };
}
