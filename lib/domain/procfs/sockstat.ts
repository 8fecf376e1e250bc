import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** Protocol to counter. `mem` is in pages, `memory` (FRAG) in bytes, the rest counts. */
export type Sockstat = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NAME = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * /proc/PID/net/sockstat and sockstat6. Kernel document: proc_pid_net(5); since 2.4. World-readable. `inuse` is of the network
 * namespace of the process, `mem`, `orphan`, `tw` and `alloc` of TCP are of all namespaces. Both files may be in one text:
 * the names of protocols differ.
 */
export function parseSockstat(text: string, path = "/proc/net/sockstat"): Parsed<Sockstat> {
  const warnings = collectWarnings(path);
  const protocols = new Map<string, ReadonlyMap<string, number>>();
  for (const line of scanLines(text)) {
    const [head, ...fields] = splitFields(line.text);
    if (head === undefined) continue;
    const protocol = head.slice(0, -1);
    const counters = new Map<string, number>();
    let isSound = head.endsWith(":") && NAME.test(protocol) && fields.length % 2 === 0 && line.terminated;
    for (let index = 0; isSound && index < fields.length; index += 2) {
      const [name = "", token = ""] = fields.slice(index, index + 2);
      // A sum that is read while it changes may be printed below zero: that one is left out.
      if (!NAME.test(name) || !/^-?\d+$/.test(token) || counters.has(name)) isSound = false;
      const value = parseCount(token);
      if (value !== undefined) counters.set(name, value);
    }
    if (!isSound || protocols.has(protocol)) {
      warnings.add(line, "`PROTOCOL: name number ...`, each protocol and each name once");
    } else protocols.set(protocol, counters);
  }
  return { value: protocols, warnings: warnings.list };
}
