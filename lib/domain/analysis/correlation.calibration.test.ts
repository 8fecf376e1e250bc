import { expect, it } from "vitest";
import {
  containerChurn,
  containerBoot,
  type ChurnNoise,
  type ChurnOptions,
  type RateShape,
} from "#lib/domain/scenarios/container-churn.ts";
import { isInsufficient } from "#lib/domain/statistics/insufficient.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { correlateWithContainers, type ContainerCorrelation } from "./correlation.ts";

/* `npm run calibrate`. Prints tables of docs/statistics.md. */
const RUNS = 500;
const MIB = 1024;
const MEM_TOTAL_KIB = 16 * MIB * MIB;

const AR = (phi: number): ChurnNoise => ({ kind: "ar1", phi, sdKib: 20 * MIB });
const WALK: ChurnNoise = { kind: "walk", stepSdKib: 4 * MIB };
const NOISES: readonly (readonly [string, ChurnNoise])[] = [
  ["white", AR(0)],
  ["AR(1) 0.5", AR(0.5)],
  ["AR(1) 0.8", AR(0.8)],
  ["AR(1) 0.95", AR(0.95)],
  ["random walk", WALK],
];
const CASES = (
  [
    [24, "wandering"],
    [24, "jobs"],
    [24, "daily"],
    [48, "wandering"],
    [48, "jobs"],
  ] as const
).flatMap(([hours, rate]) => NOISES.map(([name, noise]) => ({ hours, rate, name, noise })));

interface Counted {
  covered: number;
  liveCovered: number;
  halfWidths: number[];
  verdicts: Record<string, number>;
}

function count(
  seed: number,
  runs: number,
  options: (run: number) => ChurnOptions,
  reading: (churn: ReturnType<typeof containerChurn>) => ReturnType<typeof containerBoot> = containerBoot,
): Counted {
  const rng = createRng(seed);
  const counted: Counted = { covered: 0, liveCovered: 0, halfWidths: [], verdicts: {} };
  for (let run = 0; run < runs; run += 1) {
    const truth = options(run);
    const result = correlateWithContainers({
      boots: [reading(containerChurn(rng, truth))],
      memTotalKib: MEM_TOTAL_KIB,
    });
    if (isInsufficient(result)) throw new Error(result.reason);
    const key = result.verdict;
    counted.verdicts[key] = (counted.verdicts[key] ?? 0) + 1 / runs;
    const holds = (estimate: ContainerCorrelation["perContainer"], value: number) =>
      estimate !== undefined && estimate.ci95[0] <= value && value <= estimate.ci95[1];
    if (holds(result.perContainer, truth.leftBehindKib)) counted.covered += 1 / runs;
    if (holds(result.perLiveContainer, (truth.liveKib[0] + truth.liveKib[1]) / 2))
      counted.liveCovered += 1 / runs;
    if (result.perContainer !== undefined)
      counted.halfWidths.push((result.perContainer.ci95[1] - result.perContainer.ci95[0]) / 2);
  }
  return counted;
}

const share = (value: number | undefined) => (value ?? 0).toFixed(3);
const middle = (values: number[]) =>
  values.length === 0 ? "" : (values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
const VERDICTS = ["leaves-behind", "in-use", "unrelated", "cannot-separate"];
const row = (cells: readonly (string | number)[], { verdicts }: Counted) =>
  console.log(`| ${[...cells, ...VERDICTS.map((verdict) => share(verdicts[verdict]))].join(" | ")} |`);

const churn = (hours: number, rate: RateShape, noise: ChurnNoise): ChurnOptions => ({
  hours,
  stepMinutes: 5,
  containersPerHour: 600,
  rate,
  lifeMinutes: [1, 360],
  liveKib: [100, 1000],
  leftBehindKib: 0,
  backgroundKibPerHour: 0,
  noise,
});

it.each(CASES)("nothing left behind: $hours h, $rate, $name", ({ hours, rate, name, noise }) => {
  const counted = count(hours * 31 + name.length, RUNS, (run) => ({
    ...churn(hours, rate, noise),
    liveKib: run % 2 === 0 ? [100, 1000] : [400, 400],
    backgroundKibPerHour: run % 4 < 2 ? 0 : 20 * MIB,
  }));
  row(["none left", hours, rate, name, share(counted.covered), middle(counted.halfWidths)], counted);
  expect(counted.covered).toBeGreaterThanOrEqual(name === "random walk" ? 0.89 : 0.9);
  expect(counted.verdicts["leaves-behind"] ?? 0).toBeLessThanOrEqual(0.05);
});

it.each(CASES)("74.9 KiB left behind: $hours h, $rate, $name", ({ hours, rate, name, noise }) => {
  const counted = count(hours * 37 + name.length, RUNS, (run) => ({
    ...churn(hours, rate, noise),
    liveKib: run % 2 === 0 ? [100, 1000] : [400, 400],
    leftBehindKib: 74.9,
    backgroundKibPerHour: 5 * MIB,
  }));
  row(["74.9 left", hours, rate, name, share(counted.covered), middle(counted.halfWidths)], counted);
  expect(counted.covered).toBeGreaterThanOrEqual(name === "random walk" ? 0.88 : 0.92);
});

it.each(CASES)("two that trend and are unrelated: $hours h, $rate, $name", ({ hours, rate, name, noise }) => {
  const counted = count(hours * 41 + name.length, RUNS, (run) => ({
    ...churn(hours, rate, noise),
    liveKib: [0, 0],
    backgroundKibPerHour: (run % 3 === 0 ? 20 : run % 3 === 1 ? 100 : 300) * MIB,
  }));
  row(["unrelated", hours, rate, name, share(counted.covered), middle(counted.halfWidths)], counted);
  const related = (counted.verdicts["leaves-behind"] ?? 0) + (counted.verdicts["in-use"] ?? 0);
  // Two questions at 2.5 % each; a day of a random walk is told from slower noise least well.
  expect(related).toBeLessThanOrEqual(name === "random walk" ? 0.06 : 0.05);
});

it.each(NOISES)("a rate that never varies: %s", (name, noise) => {
  const counted = count(43 + name.length, RUNS, (run) => ({
    ...churn(24, "steady", noise),
    containersPerHour: 4260,
    liveKib: [0, 0],
    leftBehindKib: run % 2 === 0 ? 0 : 74.9,
    backgroundKibPerHour: run % 2 === 0 ? 300 * MIB : 0,
  }));
  row(["steady", 24, "steady", name, "", ""], counted);
  expect(counted.verdicts["cannot-separate"] ?? 0).toBeGreaterThanOrEqual(0.99);
});

it.each(NOISES)("the number alive is not known: %s", (name, noise) => {
  const counted = count(
    47 + name.length,
    100,
    () => ({ ...churn(24, "jobs", noise), liveKib: [400, 400] }),
    (drawn) => ({ ...containerBoot(drawn), live: drawn.live.values.map(() => null) }),
  );
  expect(counted.verdicts).toEqual({ "cannot-separate": expect.closeTo(1, 9) as number });
});
