import { splitFields } from "./scan-lines.ts";

/**
 * Modules from outside of the kernel: those that /proc/modules marks as out-of-tree (O), proprietary (P), forced (F) or
 * unsigned (E) in brackets at the end of their line. Kernel document: filesystems/proc.rst and
 * admin-guide/tainted-kernels.rst. A machine without modules has an empty file, so an empty list is an answer.
 */
export function parseForeignModules(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const fields = splitFields(line);
    const [name] = fields;
    return name !== undefined &&
      fields.length >= 6 &&
      /^\([A-Z]*[OPFE][A-Z]*[+-]?\)$/.test(fields.at(-1) ?? "")
      ? [name]
      : [];
  });
}
