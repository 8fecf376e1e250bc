import { canCompose } from "../dumps/can-compose.ts";
import { areOneMachine } from "../dumps/machines.ts";
import { readDump, type DumpReading, type DumpSample } from "../dumps/read-dump.ts";
import { orderInTime } from "../dumps/sample-time.ts";
import { composeMemory } from "../memory/composition.ts";
import { smemTable, type SmemRow } from "../memory/smem-table.ts";
import { readRawSample } from "../snapshot/from-raw.ts";
import { splitRawText } from "../snapshot/raw-text.ts";
import { originOf, type DumpOrigin } from "./dump-origin.ts";
import { evidenceFromDump } from "./evidence-from-dump.ts";
import { compositionRecord, explainEvidence, type CompositionRecord, type Explanation } from "./explain.ts";
import { explanationToText } from "./explanation-text.ts";

/** One sample of /proc/meminfo of a paste, composed. */
export interface ComposedSample {
  /** Its time or its caption as the text has it, else its place. */
  readonly name: string;
  /** From the first sample; absent where the text does not tell. */
  readonly hours: number | undefined;
  readonly composition: CompositionRecord;
}

/** Whether a text holds whole snapshots, as `tail -n +1` prints kernel files. */
export interface WholeSnapshots {
  readonly count: number;
  /** Whether each says when it was taken. */
  readonly timed: boolean;
  /** What a first one lacks; absent where nothing does. */
  readonly fault: string | undefined;
}

/** Everything that a page shows of a pasted text. */
export interface PasteReading {
  readonly explanation: Explanation;
  readonly origin: DumpOrigin;
  /** The same as `explain` prints it. */
  readonly printed: string;
  /** Of the sample that is composed. */
  readonly smem: readonly SmemRow[] | undefined;
  /** In the order of time where all samples say theirs, else in that of the text; at most `MOST_SAMPLES`, first and last among them. */
  readonly samples: readonly ComposedSample[];
  /** Samples are one machine over time, so that differences mean growth. */
  readonly oneMachine: boolean;
  readonly snapshots: WholeSnapshots;
}

const MOST_SAMPLES = 200;

/**
 * Reads a pasted text as `explainDump` does, with what a page shows beside the explanation. Adds the line end that a text
 * box leaves out. Never throws.
 */
export function readPaste(pasted: string): PasteReading {
  const text = pasted === "" || pasted.endsWith("\n") ? pasted : `${pasted}\n`;
  const reading = readDump(text);
  const explanation = explainEvidence(evidenceFromDump(reading), reading);
  const { composedMeminfo } = reading;
  return {
    explanation,
    origin: originOf(reading),
    printed: explanationToText(explanation),
    smem: composedMeminfo && smemTable((key) => composedMeminfo.get(key)),
    ...composedSamples(reading),
    snapshots: wholeSnapshots(text),
  };
}

function composedSamples(reading: DumpReading): Pick<PasteReading, "samples" | "oneMachine"> {
  const composable = reading.samples.filter(({ meminfo }) => canCompose((key) => meminfo?.get(key)));
  const oneMachine = areOneMachine(composable);
  const ordered = oneMachine
    ? orderInTime(composable)
    : composable.map((sample) => ({ sample, hours: undefined }));
  const kept = thinOut(ordered, MOST_SAMPLES);
  return {
    oneMachine,
    samples: kept.flatMap(({ sample, hours }, index): ComposedSample[] => {
      const composition = composeMemory({
        meminfo: (key) => sample.meminfo?.get(key),
        kernelRelease: reading.kernelRelease,
      });
      return composition === undefined
        ? []
        : [{ name: nameOf(sample, index, oneMachine), hours, composition: compositionRecord(composition) }];
    }),
  };
}

/** At most `most`, evenly spread, the first and the last among them. */
function thinOut<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const places = Array.from({ length: most }, (_, index) =>
    Math.round((index * (all.length - 1)) / (most - 1)),
  );
  return places.flatMap((place) => all[place] ?? []);
}

function nameOf({ at, label, host }: DumpSample, index: number, oneMachine: boolean): string {
  const name = oneMachine ? at : (label ?? host);
  return name ?? at ?? label ?? `sample ${index + 1}`;
}

function wholeSnapshots(text: string): WholeSnapshots {
  const samples = splitRawText(text);
  if (samples.length === 0)
    return { count: 0, timed: false, fault: "no kernel file stands under a line of its own, ==> path <==" };
  const timed = samples.every(({ at }) => at !== undefined);
  for (const sample of samples) {
    // Name and time are the person's to say; whether the rest is there does not depend on them.
    const { snapshot, fault } = readRawSample(sample, { node: "node", at: 0 });
    if (snapshot === undefined) return { count: 0, timed, fault: fault ?? "no snapshot can be made of it" };
  }
  return { count: samples.length, timed, fault: undefined };
}
