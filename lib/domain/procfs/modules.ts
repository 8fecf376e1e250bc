import { isKernelKey } from "./kernel-key.ts";
import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

export interface KernelModule {
  readonly name: string;
  readonly sizeBytes: number;
  /**
   * Letters of how it taints the kernel: O out of tree, E unsigned, P proprietary, C staging, F forced, K live patch. The marks `+`
   * and `-` of a module that is coming or going are not among them.
   */
  readonly taint: string | undefined;
}

/** /proc/modules. Kernel document: proc_modules(5); since 2.2 or earlier, the letters since 2.6.24. World-readable; addresses are not kept. */
export function parseModules(text: string, path = "/proc/modules"): Parsed<readonly KernelModule[]> {
  const warnings = collectWarnings(path);
  const modules: KernelModule[] = [];
  for (const line of scanLines(text)) {
    const [name, size, refcount, ...rest] = splitFields(line.text);
    if (name === undefined) continue;
    const sizeBytes = parseCount(size);
    if (sizeBytes === undefined || refcount === undefined || !line.terminated || !isKernelKey(name)) {
      warnings.add(line, "the name of a module, its size, its references and more");
      continue;
    }
    const letters = /^\(([A-Z]*)[+-]?\)$/.exec(rest.at(-1) ?? "")?.[1];
    modules.push({ name, sizeBytes, taint: letters === "" ? undefined : letters });
  }
  return { value: modules, warnings: warnings.list };
}
