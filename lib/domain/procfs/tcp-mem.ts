import { parseNumberLine } from "./number-line.ts";
import type { Parsed } from "./parse-error.ts";

/** Limits of the memory of all TCP sockets, in pages. */
export interface TcpMem {
  readonly lowPages: number;
  readonly pressurePages: number;
  readonly highPages: number;
}

/** /proc/sys/net/ipv4/tcp_mem. Kernel document: Documentation/networking/ip-sysctl.rst; since 2.4. World-readable. */
export function parseTcpMem(text: string, path = "/proc/sys/net/ipv4/tcp_mem"): Parsed<TcpMem | undefined> {
  const { value, warnings } = parseNumberLine(text, {
    path,
    least: 3,
    expected: "three limits in pages: low, pressure, high",
  });
  const [lowPages, pressurePages, highPages] = value;
  return {
    value:
      lowPages === undefined || pressurePages === undefined || highPages === undefined
        ? undefined
        : { lowPages, pressurePages, highPages },
    warnings,
  };
}
