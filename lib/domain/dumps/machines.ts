import type { Artefact } from "./artefact.ts";
import { momentOf } from "./caption-moment.ts";
import { areOneSizeAll, totalOf } from "./contradictions.ts";

/** The machine that a sample is of, where the text says it; behind a name the head of a table is not known as such. */
export function hostOf({ lines, section }: Pick<Artefact, "lines" | "section">): string | undefined {
  return section ?? lines.at(-1)?.host;
}

/** Whether labels tell things apart that are no series: captions of their own, unless these are moments of one machine. */
export function areDifferentThings(labels: readonly (string | undefined)[]): boolean {
  const known = labels.filter((label) => label !== undefined);
  if (known.length < labels.length || new Set(known).size < 2) return false;
  return !known.every((label) => momentOf(label) !== undefined);
}

/**
 * Artefacts with what captions say of them. Where these name several machines, or states of one (`healthy node`, `bad node`), all
 * below one of them is of it; where they name moments, what has no time of its own is of the moment above it.
 */
export function underCaptions(artefacts: readonly Artefact[]): readonly Artefact[] {
  const captions = artefacts.flatMap(({ caption }) => caption ?? []);
  if (new Set(captions).size < 2) return artefacts;
  const isMoments = captions.every((caption) => momentOf(caption) !== undefined);
  if (!isMoments && artefacts.some(({ lines }) => lines.at(-1)?.host !== undefined)) return artefacts;
  let caption: string | undefined;
  return artefacts.map((artefact) => {
    caption = artefact.caption ?? caption;
    if (caption === undefined) return artefact;
    return isMoments ? { ...artefact, label: artefact.label ?? caption } : { ...artefact, section: caption };
  });
}

const SICK =
  /\b(?:bad|broken|sick|faulty|unhealthy|leak\w*|affected|problem\w*|suspect\w*|not ?ready|oom\w*)\b/i;
const WELL = /\b(?:healthy|good|fine|ok|normal|working|unaffected|reference|control)\b/i;

/** Those that are called sick, else those that are not called well, else all. */
function worthJudging(names: readonly string[]): readonly string[] {
  const sick = names.filter((name) => SICK.test(name));
  const notWell = names.filter((name) => !WELL.test(name));
  return sick.length > 0 ? sick : notWell.length > 0 ? notWell : names;
}

/**
 * The machines that a text is of where they are several, and the one that is judged: that which is called sick, else that of which
 * most is known, the last of equals.
 */
export function machinesOf(artefacts: readonly Artefact[]): {
  readonly hosts: readonly string[];
  readonly judgedHost: string | undefined;
} {
  const factsOf = new Map<string, Set<string>>();
  for (const artefact of artefacts) {
    const host = hostOf(artefact);
    if (host === undefined || artefact.kind === "clock") continue;
    const names = factsOf.get(host) ?? new Set();
    factsOf.set(host, names);
    for (const name of artefact.facts.keys()) names.add(name);
  }
  if (factsOf.size < 2) return { hosts: [], judgedHost: undefined };
  const judged = worthJudging([...factsOf.keys()]);
  const most = Math.max(...judged.map((name) => factsOf.get(name)?.size ?? 0));
  const judgedHost = judged.findLast((name) => factsOf.get(name)?.size === most);
  return { hosts: [...factsOf.keys()], judgedHost };
}

interface Named {
  readonly host: string | undefined;
  readonly label: string | undefined;
  readonly facts: ReadonlyMap<string, number>;
}

/**
 * Samples of named machines are of one where the name is the same. Else captions of their own that are no moments are
 * different machines, kernels or columns, and so is another amount of all memory.
 */
export function areOneMachine(samples: readonly Named[]): boolean {
  const hosts = new Set(samples.map(({ host }) => host));
  if (hosts.size > 1 && [...hosts].filter((host) => host !== undefined).length > 1) return false;
  const isNamed = hosts.size === 1 && !hosts.has(undefined);
  if (!isNamed && !areOneSizeAll(samples.map(totalOf))) return false;
  return !areDifferentThings(samples.map(({ label }) => label));
}
