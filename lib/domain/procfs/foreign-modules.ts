import { splitFields } from "./scan-lines.ts";

/** Whether its letters say that a module comes from outside: out of tree (O), proprietary (P), forced (F) or unsigned (E). */
export function isForeign(taint: string): boolean {
  return /[OPFE]/.test(taint);
}

/**
 * Modules from outside of the kernel, by the letters in brackets at the end of their lines in /proc/modules. Kernel document:
 * filesystems/proc.rst and admin-guide/tainted-kernels.rst. A machine without modules has an empty file, so an empty list
 * is an answer.
 */
export function parseForeignModules(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const fields = splitFields(line);
    const [name] = fields;
    const taint = /^\(([A-Z]+)[+-]?\)$/.exec(fields.at(-1) ?? "")?.[1] ?? "";
    return name !== undefined && fields.length >= 6 && isForeign(taint) ? [name] : [];
  });
}
