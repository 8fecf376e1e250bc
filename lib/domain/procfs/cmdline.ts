import type { Parsed } from "./parse-error.ts";

const QUOTE = 34;
/** Everything up to here is a blank or a control character to the kernel. */
const SPACE = 32;

/** One parameter of the boot; `value` is absent where none was given (`quiet`) and empty after a bare `=`. */
export interface BootParameter {
  readonly name: string;
  readonly value: string | undefined;
}

export interface Cmdline {
  /** In the order given. A name may stand several times (`console=`), and the kernel reads them all. */
  readonly parameters: readonly BootParameter[];
  /** All values of one parameter, `-` and `_` being the same letter to the kernel. */
  readonly valuesOf: (name: string) => readonly (string | undefined)[];
}

/**
 * /proc/cmdline. Kernel document: Documentation/admin-guide/kernel-parameters.rst; since 2.0. World-readable. Double quotes
 * keep blanks together; what follows `--` is for init and is not read.
 */
export function parseCmdline(text: string): Parsed<Cmdline> {
  const parameters: BootParameter[] = [];
  for (const word of splitWords(text)) {
    if (word === "--") break;
    const equals = word.indexOf("=");
    const name = equals === -1 ? word : word.slice(0, equals);
    if (name !== "") parameters.push({ name, value: equals === -1 ? undefined : word.slice(equals + 1) });
  }
  const spell = (name: string) => name.replaceAll("-", "_");
  return {
    value: {
      parameters,
      valuesOf: (name) =>
        parameters.filter((each) => spell(each.name) === spell(name)).map((each) => each.value),
    },
    warnings: [],
  };
}

function splitWords(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : SPACE;
    if (code === QUOTE) quoted = !quoted;
    if (index < text.length && (quoted || code > SPACE)) continue;
    if (index > start) words.push(text.slice(start, index).replaceAll('"', ""));
    start = index + 1;
  }
  return words;
}
