import { contextNames, rowOf, type DumpLine } from "./dump-line.ts";

const UNAME = /^\s{0,8}Linux ([A-Za-z0-9][\w.-]{0,62}) \d{1,2}\.\d/;
const FIELD =
  /^\s{0,8}(?:static hostname|hostname|host|nodename|node name|kubernetes\.io\/hostname)\s{0,4}[:=]\s{0,8}"?([A-Za-z0-9][\w.-]{0,252})"?\s*$/i;
const NAME = /^\s{0,4}([A-Za-z0-9][\w.-]{0,252})\s*$/;
const BOOT_ID = /^\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\s*$/i;
const UPTIME = /^\s*(\d{1,12}\.\d{2}) \d{1,14}\.\d{2}\s*$/;

/** What a text says of the machine that it is of, beside its samples. */
export interface MachineIdentity {
  /** Of `uname -a`, `hostname` and the like, as printed, where all of them say the same. */
  readonly name: string | undefined;
  /** Of /proc/sys/kernel/random/boot_id, where there is but one. */
  readonly bootId: string | undefined;
  /** The newest of /proc/uptime. */
  readonly uptimeSeconds: number | undefined;
}

/** Total on any input, linear in its length. */
export function identifyMachine(lines: readonly DumpLine[]): MachineIdentity {
  const names = new Set<string>();
  const boots = new Set<string>();
  let uptimeSeconds: number | undefined;
  for (const line of lines) {
    const text = rowOf(line);
    const name =
      UNAME.exec(text)?.[1] ??
      FIELD.exec(text)?.[1] ??
      (contextNames(line, /(?:^|[\s;&|/])hostname(?: -[fs])?$/) ? NAME.exec(text)?.[1] : undefined);
    if (name !== undefined) names.add(name);
    const boot = contextNames(line, /\/boot_id$/) ? BOOT_ID.exec(text)?.[1] : undefined;
    if (boot !== undefined) boots.add(boot.toLowerCase());
    const uptime = contextNames(line, /(?:^|[\s/])uptime$/) ? UPTIME.exec(text)?.[1] : undefined;
    if (uptime !== undefined) uptimeSeconds = Number(uptime);
  }
  return { name: onlyOf(names), bootId: onlyOf(boots), uptimeSeconds };
}

function onlyOf(all: ReadonlySet<string>): string | undefined {
  return all.size === 1 ? [...all][0] : undefined;
}
