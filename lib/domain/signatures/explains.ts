import { inKib, type Evidence } from "./evidence.ts";

/** The rise of quantities of memory, KiB, where one is known; else what they hold. Those that are not known add nothing. */
export function riseOrLevel(...names: readonly string[]): (evidence: Evidence) => number | undefined {
  return (evidence) => {
    const rises = names.map((name) => riseKib(evidence, name)).filter((each) => each !== undefined);
    if (rises.length > 0) return sum(rises);
    const levels = names.flatMap((name) => {
      const value = evidence.levels[name];
      return value === undefined ? [] : [inKib(name, value)];
    });
    return levels.length > 0 ? sum(levels) : undefined;
  };
}

/** KiB of so many objects: of their rise, else of their number. `kibEach` may depend on the machine. */
export function objectsTimes(
  name: string,
  kibEach: (evidence: Evidence) => number,
): (evidence: Evidence) => number | undefined {
  return (evidence) => {
    const count = riseKib(evidence, name) ?? evidence.levels[name];
    return count === undefined ? undefined : Math.max(0, count) * kibEach(evidence);
  };
}

/** The first that can be told. */
export function firstOf(
  ...explanations: readonly ((evidence: Evidence) => number | undefined)[]
): (evidence: Evidence) => number | undefined {
  return (evidence) => {
    for (const explains of explanations) {
      const kib = explains(evidence);
      if (kib !== undefined) return kib;
    }
    return undefined;
  };
}

/** What a reading without numbers explains. */
export function explainsNothingMeasured(): undefined {
  return undefined;
}

/**
 * What one dying memory cgroup holds: about 16 KiB of slab and vmalloc and 1.94 KiB for each CPU, measured on 6.18; 17 and
 * 1.8 were reported for 5.0.
 */
export function dyingMemcgKib({ levels }: Evidence): number {
  return 16 + 1.94 * (levels.cpus ?? 2);
}

/** How much a quantity of memory rose, KiB. */
export function riseKib({ changes }: Evidence, name: string): number | undefined {
  const change = changes[name];
  return change === undefined ? undefined : inKib(name, change.last - change.first);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
