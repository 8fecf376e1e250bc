import { isKernelKey } from "./kernel-key.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { parseCount } from "./parse-count.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** One controller. */
export interface CgroupController {
  /** Number of its v1 hierarchy; 0 on the unified hierarchy. */
  readonly hierarchy: number;
  /** Groups of the whole hierarchy, dying ones included. With hierarchy 0: of the unified tree, the same for all. */
  readonly numCgroups: number;
  readonly enabled: boolean;
}

/** Controllers by name. A missing `memory` means: not on v1, or compiled out; it says nothing about a count. */
export interface Cgroups {
  readonly controllers: ReadonlyMap<string, CgroupController>;
}

/**
 * /proc/cgroups. Kernel document: Documentation/admin-guide/cgroup-v1/cgroups.rst and cgroups(7); since 2.6.24.
 * World-readable. Newer kernels leave out controllers without v1 code.
 */
export function parseCgroups(text: string, path = "/proc/cgroups"): Parsed<Cgroups> {
  const warnings = collectWarnings(path);
  const controllers = new Map<string, CgroupController>();
  for (const line of scanLines(text)) {
    const [name, ...columns] = splitFields(line.text);
    if (name === undefined || name.startsWith("#")) continue;
    if (!isKernelKey(name)) {
      warnings.add(line, "the name of a controller");
      continue;
    }
    const [hierarchy, numCgroups, enabled] = columns.map(parseCount);
    if (hierarchy === undefined || numCgroups === undefined || enabled === undefined || columns.length > 3) {
      warnings.add(line, "name, hierarchy, num_cgroups, enabled");
    } else if (controllers.has(name)) {
      warnings.add(line, "each controller once");
    } else {
      controllers.set(name, { hierarchy, numCgroups, enabled: enabled !== 0 });
    }
  }
  return { value: { controllers }, warnings: warnings.list };
}
