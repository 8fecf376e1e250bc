import type { Artefact } from "./artefact.ts";
import { areOneSizeAll, totalOf } from "./contradictions.ts";

/** The machine that a sample is of, where the text says it; behind a name the head of a table is not known as such. */
export function hostOf({ lines }: Pick<Artefact, "lines">): string | undefined {
  return lines.at(-1)?.host;
}

/** The machines that a text is of where they are several, and the one of which most is known: the last of equals. */
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
  const most = Math.max(...[...factsOf.values()].map(({ size }) => size));
  const judgedHost = [...factsOf].findLast(([, { size }]) => size === most)?.[0];
  return { hosts: [...factsOf.keys()], judgedHost };
}

interface Named {
  readonly host: string | undefined;
  readonly label: string | undefined;
  readonly facts: ReadonlyMap<string, number>;
}

/**
 * Samples of named machines are of one where the name is the same. Else captions of their own are different machines,
 * kernels or columns, and so is another amount of all memory.
 */
export function areOneMachine(samples: readonly Named[]): boolean {
  const hosts = new Set(samples.map(({ host }) => host));
  if (hosts.size > 1 && [...hosts].filter((host) => host !== undefined).length > 1) return false;
  const isNamed = hosts.size === 1 && !hosts.has(undefined);
  if (!isNamed && !areOneSizeAll(samples.map(totalOf))) return false;
  const labels = samples.map(({ label }) => label);
  return labels.some((label) => label === undefined) || new Set(labels).size <= 1;
}
