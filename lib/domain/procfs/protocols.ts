import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

export interface SocketProtocol {
  readonly protocol: string;
  readonly objSizeBytes: number;
  /** Of the network namespace of the process. */
  readonly sockets: number;
  /** Of all namespaces; undefined where the protocol does not count its memory (-1). */
  readonly memoryPages: number | undefined;
}

/** /proc/PID/net/protocols: `protocol size sockets memory press ...`, one a line. Since 2.6.0; world-readable. */
export function parseProtocols(
  text: string,
  path = "/proc/net/protocols",
): Parsed<readonly SocketProtocol[]> {
  const warnings = collectWarnings(path);
  const protocols: SocketProtocol[] = [];
  for (const line of scanLines(text)) {
    const [protocol, size, count, memory, press] = splitFields(line.text);
    if (protocol === undefined || (protocol === "protocol" && size === "size")) continue;
    const objSizeBytes = parseCount(size);
    const sockets = parseCount(count);
    const isWhole = line.terminated || press !== undefined;
    if (
      objSizeBytes === undefined ||
      sockets === undefined ||
      memory === undefined ||
      !/^-?\d+$/.test(memory) ||
      !/^[\w.-]{1,64}$/.test(protocol) ||
      !isWhole
    ) {
      warnings.add(line, "a protocol, its size, sockets and memory");
    } else protocols.push({ protocol, objSizeBytes, sockets, memoryPages: parseCount(memory) });
  }
  return { value: protocols, warnings: warnings.list };
}
