import { mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { BANDS, type BandKey } from "#lib/domain/memory/bands.ts";
import { sampleBands, type BandReading } from "./bands.ts";
import { isDirectory } from "./lab.ts";
import { ownBand, type BandChange, type Leak, type LeakPlace } from "./leak.ts";
import { CannotRun, readMeminfo } from "./machine.ts";
import { findRunningOwner, noteOwner } from "./owner.ts";

/** How a run goes. */
export interface LeakOptions {
  readonly count: number;
  /** How long the leak is left standing before it is taken back. */
  readonly holdMs: number;
  /** Leave it in place at the end. */
  readonly keep: boolean;
  readonly report: (line: string) => void;
  readonly stop: AbortSignal;
  /** How far the readings of the bands lie apart; there are eight before and eight while the leak stands. */
  readonly paceMs?: number;
}

/** What moved while the leak stood, in KiB by band. */
export interface LeakMeasure {
  readonly made: number;
  readonly predicted: BandChange;
  readonly moved: ReadonlyMap<BandKey, number>;
  /** How far each band moved by itself before. */
  readonly noise: ReadonlyMap<BandKey, number>;
  /** What of the leak's own band was still there after it was taken back; undefined where it was kept. */
  readonly leftKib: number | undefined;
}

const LEAVE_AVAILABLE_KIB = 512 * 1024;
/** The bound of one run: no leak of the lab is larger. */
const MOST_KIB = 300 * 1024;
/** Bands that every program moves; what they do says nothing of a leak. */
const RESTLESS: ReadonlySet<BandKey> = new Set(["free", "pcp", "file", "buffers", "anon"]);

/** Why so many cannot be made; undefined when they can. Pure. */
export function refusalOf(
  leak: Pick<Leak, "name" | "most" | "unit" | "stays" | "predict">,
  { count, keep }: Pick<LeakOptions, "count" | "keep">,
  machine: { cpus: number; availableKib: number | undefined },
): string | undefined {
  if (count > leak.most) return `at most ${leak.most} ${leak.unit}`;
  if (keep && !leak.stays) {
    return `${leak.name} ends with the process that holds it; leave it standing with --hold instead of --keep`;
  }
  const neededKib = Object.values(leak.predict(count, machine.cpus)).reduce((sum, kib) => sum + kib, 0);
  if (neededKib > MOST_KIB) {
    return `${count} ${leak.unit} would take ${Math.ceil(neededKib / 1024)} MiB, more than the bound of ${MOST_KIB / 1024} MiB`;
  }
  if (machine.availableKib !== undefined && machine.availableKib < neededKib + LEAVE_AVAILABLE_KIB) {
    return `only ${Math.floor(machine.availableKib / 1024)} MiB are available; ${Math.ceil(neededKib / 1024)} MiB are needed and ${LEAVE_AVAILABLE_KIB / 1024} MiB stay for the machine`;
  }
  return undefined;
}

/**
 * Makes a leak, says what should move by how much and what did, and takes it back: at the end, when `stop` fires, and what an
 * earlier run left behind before it begins. With `keep` it stays.
 * @throws CannotRun with what is missing, before anything is touched.
 */
export async function runLeak(leak: Leak, place: LeakPlace, options: LeakOptions): Promise<LeakMeasure> {
  const { report, stop, paceMs = 250 } = options;
  const missing = leak.missing();
  if (missing !== undefined) throw new CannotRun(`${leak.name}: ${missing}`);
  const machine = { cpus: os.cpus().length, availableKib: readMeminfo().get("MemAvailable") };
  const refusal = refusalOf(leak, options, machine);
  if (refusal !== undefined) throw new CannotRun(`${leak.name}: ${refusal}`);
  await takePlace(leak, place, report);

  const before = await sampleBands(8, paceMs);
  let during: BandReading | undefined;
  let made = 0;
  let isKept = false;
  const standing = await leak.start(place, options.count).catch(async (error: unknown) => {
    await leak.clean(place);
    rmSync(place.state, { recursive: true, force: true });
    throw error;
  });
  const predicted = leak.predict(standing.made, machine.cpus);
  try {
    made = standing.made;
    report(`made ${made} ${leak.unit}: ${leak.summary}`);
    report(`should move: ${changeText(new Map(Object.entries(predicted)))}`);
    await sleepUnless(stop, 6 * paceMs);
    during = await sampleBands(8, paceMs);
    report(`did move:    ${changeText(movedBetween(before, during))}`);
    if (options.holdMs > 0 && !stop.aborted) {
      report(`holding for ${options.holdMs / 1000} s; Ctrl-C ends it`);
      await sleepUnless(stop, options.holdMs);
    }
    isKept = options.keep && !stop.aborted;
  } finally {
    if (!isKept) {
      await standing.release();
      rmSync(place.state, { recursive: true, force: true });
    }
  }
  const moved = movedBetween(before, during);
  if (isKept) {
    report("left in place; remove it with: npm run leaklab -- clean");
    return { made, predicted, moved, noise: before.noiseKib, leftKib: undefined };
  }
  const leftKib = await waitForRelease(before, predicted, paceMs);
  report(`taken back: ${Math.round(leftKib)} KiB of ${ownBand(predicted)} are left`);
  return { made, predicted, moved, noise: before.noiseKib, leftKib };
}

/** Notes this run as the owner, after what an earlier one left was taken away. */
async function takePlace(leak: Leak, place: LeakPlace, report: (line: string) => void): Promise<void> {
  const owner = findRunningOwner(place.state);
  if (owner !== undefined) throw new CannotRun(`${leak.name} runs already, as process ${owner}`);
  const removed = await leak.clean(place);
  if (removed !== "") report(`an earlier run had left ${removed}: removed`);
  if (isDirectory(place.state)) rmSync(place.state, { recursive: true });
  mkdirSync(place.state, { recursive: true });
  noteOwner(place.state);
}

/** The kernel frees some things moments later. Up to 10 s. */
async function waitForRelease(before: BandReading, predicted: BandChange, paceMs: number): Promise<number> {
  const band = ownBand(predicted);
  const wanted = Math.abs(predicted[band] ?? 0) * 0.1;
  let leftKib = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 10 && Math.abs(leftKib) > wanted; attempt += 1) {
    const now = await sampleBands(4, paceMs);
    leftKib = (now.meanKib.get(band) ?? 0) - (before.meanKib.get(band) ?? 0);
  }
  return leftKib;
}

function movedBetween(before: BandReading, after: BandReading | undefined): ReadonlyMap<BandKey, number> {
  return new Map(
    [...(after?.meanKib ?? [])].flatMap(([key, kib]) => {
      const begun = before.meanKib.get(key);
      return begun === undefined ? [] : [[key, kib - begun] as const];
    }),
  );
}

async function sleepUnless(stop: AbortSignal, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}

const signed = (kib: number) => `${kib < 0 ? "\u2212" : "+"}${Math.abs(Math.round(kib))}`;

/** `sunrecl +11,800 KiB, percpu +3,880 KiB`: the largest first. Pure. */
export function changeText(change: ReadonlyMap<string, number>): string {
  return [...change]
    .filter(([, kib]) => Math.abs(kib) >= 64)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([key, kib]) => `${key} ${signed(kib)} KiB`)
    .join(", ");
}

/**
 * The middle of several rounds, band by band: what other programs do in one round does not move it. The noise is half of how far
 * the rounds lie apart. Pure.
 */
export function middleOf(rounds: readonly [LeakMeasure, ...LeakMeasure[]]): LeakMeasure {
  const [first] = rounds;
  const ofBand = (key: BandKey) => rounds.map(({ moved }) => moved.get(key) ?? 0).sort((a, b) => a - b);
  const keys = [...first.moved.keys()];
  const left = rounds.map(({ leftKib }) => leftKib ?? 0).sort((a, b) => a - b);
  return {
    ...first,
    moved: new Map(keys.map((key) => [key, middle(ofBand(key))])),
    noise: new Map(keys.map((key) => [key, spread(ofBand(key)) / 2])),
    leftKib: first.leftKib === undefined ? undefined : middle(left),
  };
}

const middle = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
const spread = (sorted: readonly number[]) => (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);

/** A row of the table of measures, in Markdown. Pure. */
export function tableRow(leak: Pick<Leak, "name" | "unit">, measure: LeakMeasure): string {
  const own = ownBand(measure.predicted);
  const { made, predicted, moved, noise, leftKib } = measure;
  const foreseen = Object.entries(predicted).slice(1);
  const others = [...moved].filter(
    ([key, kib]) => key !== own && !(key in predicted) && !RESTLESS.has(key) && Math.abs(kib) >= 256,
  );
  const uncertain = (key: BandKey) => ` \u00b1${Math.round(noise.get(key) ?? 0)}`;
  const cells = [
    leak.name,
    `${made} ${leak.unit}`,
    own,
    `${signed(predicted[own] ?? 0)}`,
    `${signed(moved.get(own) ?? 0)}`,
    uncertain(own).trim(),
    foreseen
      .map(([key, kib]) => `${key} ${signed(moved.get(key as BandKey) ?? 0)} (${signed(kib)})`)
      .join(", "),
    others.length === 0
      ? "none"
      : others.map(([key, kib]) => `${key} ${signed(kib)}${uncertain(key)}`).join(", "),
    leftKib === undefined ? "kept" : signed(leftKib),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Head of the table of measures. */
export const TABLE_HEAD = [
  "| leak | made | band | predicted | measured | noise | foreseen beside it, measured (predicted) | else moved by 256 or more | left |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
].join("\n");

/** Labels of the bands, for the list of leaks. */
export function bandLabel(key: BandKey): string {
  return BANDS.find((band) => band.key === key)?.label ?? key;
}
