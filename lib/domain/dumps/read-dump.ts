import { composeMemory, type Composition } from "../memory/composition.ts";
import { pagesToKib } from "../memory/kib.ts";
import type { Artefact } from "./artefact.ts";
import { canCompose } from "./can-compose.ts";
import { momentOf } from "./caption-moment.ts";
import { findKernelRelease } from "./clock-dump.ts";
import { areOneSizeAll, contradictingSizes, totalOf } from "./contradictions.ts";
import { endsInCutNumber, type DumpLine } from "./dump-line.ts";
import { identifyMachine, type MachineIdentity } from "./machine-identity.ts";
import { withoutMarks } from "./caption.ts";
import { areDifferentThings, areOneMachine, hostOf, machinesOf, underCaptions } from "./machines.ts";
import { mergeFacts } from "./merge-facts.ts";
import { normaliseDump } from "./normalise-dump.ts";
import { findPageSize } from "./page-size.ts";
import { RECOGNISERS } from "./recognisers.ts";
import { commonScale, orderInTime, parseSampleTime } from "./sample-time.ts";

/** One thing that was recognised. */
export interface RecognisedArtefact {
  /** `meminfo`, `slabinfo`, `free`, ... or what a message says. */
  readonly kind: string;
  /** Lines of the paste, counted from 1. */
  readonly fromLine: number;
  readonly toLine: number;
  /** As printed, without a zone unless one was printed. */
  readonly at: string | undefined;
  /** A caption, a column or a path that tells it from others of its kind. */
  readonly label: string | undefined;
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}

/** A range of lines of the paste, both ends included. */
export interface LineRange {
  readonly fromLine: number;
  readonly toLine: number;
}

/** The numbers of one thing that was recognised, under the names of `DumpReading.keyNumbers` without endings for samples. */
export interface DumpSample {
  readonly kind: string;
  readonly at: string | undefined;
  readonly label: string | undefined;
  /** The machine, where the text says it. */
  readonly host: string | undefined;
  readonly truncated: boolean;
  readonly facts: ReadonlyMap<string, number>;
  /** Counters of /proc/meminfo as the kernel printed them, where the sample is one. */
  readonly meminfo: ReadonlyMap<string, number> | undefined;
  /** How many objects each slab cache has in use, where the sample is a table of them. */
  readonly objects?: ReadonlyMap<string, number> | undefined;
}

export interface DumpReading {
  /** In the order of the paste. */
  readonly recognised: readonly RecognisedArtefact[];
  /** KiB unless the name ends in `_count`, `_percent` or `_bytes`; the kernel's spelling. */
  readonly keyNumbers: ReadonlyMap<string, number>;
  /** One for each thing that was recognised, in the order of the paste: several of one kind may be a series. */
  readonly samples: readonly DumpSample[];
  /** What was typed, where prompts or the form of a line show it. */
  readonly commands: readonly string[];
  /** The machines that the text names where it names several; else empty. */
  readonly hosts: readonly string[];
  /** Of these the one that is judged: that of which most is known, the last of equals. */
  readonly judgedHost: string | undefined;
  /** Of the only, else the newest, sample of /proc/meminfo that reaches far enough; `undefined` when there is none. */
  readonly composition: Composition | undefined;
  /** What was read beside it, where there is but one of it: free pages in per-CPU lists and pages of zsmalloc, KiB. */
  readonly composedWith: { readonly pcpFreeKib?: number; readonly zspagesKib?: number };
  /** Of the machine that is judged; 4096 where the text does not tell. */
  readonly pageSizeBytes: number;
  /** The counters of that sample as the kernel printed them. */
  readonly composedMeminfo: ReadonlyMap<string, number> | undefined;
  readonly kernelRelease: string | undefined;
  readonly machine: MachineIdentity;
  /** Names of slab caches that the kernel merged, one list for each cache, as far as the text tells. */
  readonly mergedCaches: readonly (readonly string[])[];
  /** What was not understood. Blank lines, commands and rulers are not counted. */
  readonly unrecognised: readonly LineRange[];
  /** Of the reading as a whole; those of one artefact stand with it. */
  readonly warnings: readonly string[];
  /** Numbers that cannot be true together, as sentences that are also among the warnings; then no number decides. */
  readonly contradictions: readonly string[];
}

/** Far more than a person pastes; what is beyond is not read, and that is said. */
const LONGEST_TEXT = 8_000_000;
/** Longer lists help nobody; the numbers are of all. */
const MOST_RECOGNISED = 500;
const MOST_CONTRADICTIONS = 20;

/**
 * Reads whatever a person pastes about the memory of a machine: files of /proc, output of tools, pieces of logs, alone
 * or together, in any order, quoted, prefixed, wrapped or cut. Says what was recognised and what was not. Never throws;
 * linear in the length of the text. Whoever knows that the text is whole but lost its final line end adds one.
 */
export function readDump(text: string): DumpReading {
  const tooLong = text.length > LONGEST_TEXT;
  const lines = normaliseDump(tooLong ? text.slice(0, LONGEST_TEXT) : text);
  const context = findPageSize(lines);
  const found: Artefact[] = [];
  let left: readonly DumpLine[] = lines;
  for (const recogniser of RECOGNISERS) {
    const own = recogniser.recognise(left, context);
    if (own.length === 0) continue;
    found.push(...own);
    const taken = new Set<DumpLine>();
    for (const artefact of own) for (const line of artefact.lines) taken.add(line);
    left = left.filter((line) => !taken.has(line));
  }
  found.sort((a, b) => (a.lines[0]?.index ?? 0) - (b.lines[0]?.index ?? 0));
  const captioned = underCaptions(found);
  const { hosts, judgedHost } = machinesOf(captioned);
  // Among several machines each sample is known by the name of its own.
  const artefacts =
    hosts.length === 0
      ? captioned
      : captioned.map((each) => ({ ...each, label: each.label ?? hostOf(each) }));
  const kernelRelease = findKernelRelease(lines);
  const contradictions = [
    ...new Set(artefacts.flatMap((artefact) => artefact.contradictions ?? [])),
    ...contradictingSizes(
      artefacts.filter((each) => judgedHost === undefined || hostOf(each) === judgedHost),
    ),
  ].slice(0, MOST_CONTRADICTIONS);
  const clocks = clockOfEach(artefacts);
  const samples = artefacts.map((artefact) => sampleOf(artefact, clocks.get(artefact)));
  const composedMeminfo = newestMeminfo(samples, judgedHost);
  const composedWith = besideMeminfo(artefacts, context.pageSizeBytes);
  return {
    recognised: artefacts
      .slice(0, MOST_RECOGNISED)
      .map((artefact) => describe(artefact, clocks.get(artefact))),
    samples,
    commands: [...new Set(lines.filter(({ isCommand }) => isCommand).map(({ context }) => context))].slice(
      0,
      MOST_RECOGNISED,
    ),
    keyNumbers: mergeFacts(
      artefacts,
      RECOGNISERS.map(({ kind }) => kind),
    ),
    composition:
      composedMeminfo &&
      composeMemory({ meminfo: (key) => composedMeminfo.get(key), ...composedWith, kernelRelease }),
    composedWith,
    pageSizeBytes: context.pageSizeBytes,
    composedMeminfo,
    kernelRelease,
    machine: identifyMachine(lines),
    mergedCaches: artefacts
      .filter((each) => judgedHost === undefined || hostOf(each) === judgedHost)
      .flatMap(({ mergedCaches = [] }) => mergedCaches),
    hosts,
    judgedHost,
    unrecognised: rangesOf(left, artefacts, kernelRelease),
    warnings: [
      ...(tooLong ? [`Only the first ${LONGEST_TEXT} characters were read.`] : []),
      ...(artefacts.length > MOST_RECOGNISED
        ? [`${artefacts.length} things were recognised; the first ${MOST_RECOGNISED} are listed.`]
        : []),
      ...(lines.some(endsInCutNumber)
        ? ["The text ends in a number without a line end: it may have been longer, so it is not used."]
        : []),
      ...hostWarnings(hosts, judgedHost),
      ...seriesWarnings(artefacts, samples, hosts.length > 0),
      ...contradictions,
    ],
    contradictions,
  };
}

/** The counters of the newest sample that can be composed: by time where one machine is seen over time, else the last. */
function newestMeminfo(
  samples: readonly DumpSample[],
  judgedHost: string | undefined,
): ReadonlyMap<string, number> | undefined {
  const composable = samples.filter(
    ({ meminfo, host }) =>
      (judgedHost === undefined || host === judgedHost) && canCompose((key) => meminfo?.get(key)),
  );
  return areOneMachine(composable)
    ? orderInTime(composable).at(-1)?.sample.meminfo
    : composable.at(-1)?.meminfo;
}

function timeOf({ at, lines, label }: Artefact, clock: string | undefined): string | undefined {
  const known = at ?? lines.find((line) => line.at !== undefined)?.at ?? clock;
  if (known !== undefined || label === undefined) return known;
  return momentOf(label) === undefined ? undefined : label;
}

function sampleOf(artefact: Artefact, clock: string | undefined): DumpSample {
  const { kind, label, truncated, facts, meminfo, objects } = artefact;
  return {
    kind,
    at: timeOf(artefact, clock),
    label,
    host: hostOf(artefact),
    truncated: truncated === true,
    facts,
    meminfo,
    objects,
  };
}

function describe(artefact: Artefact, clock: string | undefined): RecognisedArtefact {
  const { kind, lines, label, truncated, warnings } = artefact;
  const first = lines[0];
  return {
    kind,
    fromLine: first?.fromLine ?? 0,
    toLine: lines.at(-1)?.toLine ?? 0,
    at: timeOf(artefact, clock),
    label,
    truncated: truncated === true,
    warnings,
  };
}

const FARTHEST_CLOCK = 4;

/**
 * `date` or `uptime` beside a sample says when it was taken: above it, unless the text has several clocks and each follows
 * a sample. Never a clock with another sample between.
 */
function clockOfEach(artefacts: readonly Artefact[]): ReadonlyMap<Artefact, string> {
  const places = artefacts.flatMap(({ kind }, place) => (kind === "clock" ? [place] : []));
  const follow =
    places.length > 1 && places.every((place) => place > 0 && artefacts[place - 1]?.kind !== "clock");
  const step = follow ? 1 : -1;
  const clocks = new Map<Artefact, string>();
  artefacts.forEach((artefact, place) => {
    const beside = artefacts[place + step];
    if (beside?.kind !== "clock" || beside.at === undefined || artefact.kind === "clock") return;
    const [upper, lower] = step === -1 ? [beside, artefact] : [artefact, beside];
    const distance = (lower.lines[0]?.index ?? Infinity) - (upper.lines.at(-1)?.index ?? 0);
    if (distance <= FARTHEST_CLOCK) clocks.set(artefact, beside.at);
  });
  return clocks;
}

function besideMeminfo(artefacts: readonly Artefact[], pageSizeBytes: number): DumpReading["composedWith"] {
  const onlyOf = (kind: string) => {
    const own = artefacts.filter((each) => each.kind === kind);
    return own.length === 1 ? own[0]?.facts : undefined;
  };
  const pcpFreeKib = onlyOf("/proc/zoneinfo")?.get("pcp_free");
  const zspages = onlyOf("/proc/vmstat")?.get("nr_zspages_count");
  return {
    ...(pcpFreeKib !== undefined && { pcpFreeKib }),
    ...(zspages !== undefined && { zspagesKib: pagesToKib(zspages, pageSizeBytes) }),
  };
}

const MOST_HOSTS_NAMED = 10;

function hostWarnings(hosts: readonly string[], judgedHost: string | undefined): readonly string[] {
  if (judgedHost === undefined) return [];
  const more = hosts.length > MOST_HOSTS_NAMED ? ` and ${hosts.length - MOST_HOSTS_NAMED} more` : "";
  return [
    `The text is of ${hosts.length} machines (${hosts.slice(0, MOST_HOSTS_NAMED).join(", ")}${more}): only ${judgedHost} is judged. Paste the others one by one.`,
  ];
}

/** Kinds whose several are no samples of one thing. */
const NO_SERIES: ReadonlySet<string> = new Set([
  "clock",
  "file count",
  "other count",
  "other kernel file",
  "names of slab caches",
]);

function seriesWarnings(
  artefacts: readonly Artefact[],
  samples: readonly DumpSample[],
  manyMachines: boolean,
): readonly string[] {
  const counts = new Map<string, { artefact: Artefact; sample: DumpSample | undefined }[]>();
  artefacts.forEach((artefact, place) => {
    const own = counts.get(artefact.kind);
    const each = { artefact, sample: samples[place] };
    if (own) own.push(each);
    else counts.set(artefact.kind, [each]);
  });
  return [...counts].flatMap(([kind, own]) => {
    if (own.length < 2 || NO_SERIES.has(kind)) return [];
    if (!manyMachines && !areOneSizeAll(own.map(({ artefact }) => totalOf(artefact))))
      return [
        `${own.length} of ${kind} whose MemTotal differs: they are taken for different machines, and the last is judged.`,
      ];
    if (areDifferentThings(own.map(({ artefact }) => artefact.label)))
      return manyMachines
        ? []
        : [
            `${own.length} of ${kind} with captions of their own: they are not read as one machine over time.`,
          ];
    const order = orderOfText(own.flatMap(({ sample }) => sample ?? []));
    if (order === "of time") return [];
    return [
      order === "other"
        ? `${own.length} of ${kind} that are not in order of time: growth is by their times, _first and _last are by position in the text.`
        : `${own.length} of ${kind}: _first and _last are by position in the text, which need not be order in time.`,
    ];
  });
}

/** Whether samples stand in the order of their times, where all have one of one scale. */
function orderOfText(samples: readonly DumpSample[]): "of time" | "other" | "unknown" {
  const times = samples.flatMap(({ at }) => parseSampleTime(at) ?? []);
  if (times.length < samples.length || commonScale(times) === undefined) return "unknown";
  return times.every(({ ms }, place) => ms >= (times[place - 1]?.ms ?? -Infinity)) ? "of time" : "other";
}

/** Captions and the kernel's release were used, so they do not count as not understood. */
function rangesOf(
  left: readonly DumpLine[],
  artefacts: readonly Artefact[],
  kernelRelease: string | undefined,
): readonly LineRange[] {
  const captions = new Set(artefacts.map(({ label }) => label));
  const ranges: { fromLine: number; toLine: number }[] = [];
  for (const line of left) {
    if (line.isCommand || !/[\p{L}\p{N}]/u.test(line.text)) continue;
    if (captions.has(withoutMarks(line.text))) continue;
    if (kernelRelease !== undefined && line.text.length < 200 && line.text.includes(kernelRelease)) continue;
    const last = ranges.at(-1);
    if (last && line.fromLine === last.toLine + 1) last.toLine = line.toLine;
    else ranges.push({ fromLine: line.fromLine, toLine: line.toLine });
  }
  return ranges;
}
