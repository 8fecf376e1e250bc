import { parseCount } from "./parse-count.ts";
import { collectWarnings, type Parsed } from "./parse-error.ts";
import { scanLines, splitFields } from "./scan-lines.ts";

/** How long tasks waited. */
export interface Stall {
  /** Percent of the last 10, 60 and 300 s. */
  readonly avg10: number;
  readonly avg60: number;
  readonly avg300: number;
  /** Since boot, in microseconds. */
  readonly totalUs: number;
}

export interface Pressure {
  /** Some task waited. */
  readonly some: Stall | undefined;
  /** All tasks that could run waited. */
  readonly full: Stall | undefined;
}

/**
 * /proc/pressure/memory. Kernel document: Documentation/accounting/psi.rst; since 4.20 with CONFIG_PSI. World-readable; reading
 * fails with EOPNOTSUPP where it is compiled in and switched off (`psi=1` switches it on).
 */
export function parsePressure(text: string, path = "/proc/pressure/memory"): Parsed<Pressure> {
  const warnings = collectWarnings(path);
  const stalls = new Map<string, Stall>();
  for (const line of scanLines(text)) {
    const [who, ...fields] = splitFields(line.text);
    if (who === undefined) continue;
    const stall = line.terminated ? readStall(fields) : undefined;
    if (!/^[a-z]{1,16}$/.test(who) || stall === undefined || stalls.has(who)) {
      warnings.add(line, "`some` or `full`, once each, with avg10=, avg60=, avg300= and total=");
    } else stalls.set(who, stall);
  }
  return { value: { some: stalls.get("some"), full: stalls.get("full") }, warnings: warnings.list };
}

function readStall(fields: readonly string[]): Stall | undefined {
  const values = new Map(
    fields.map((field): [string, string] => {
      const equals = field.indexOf("=");
      return [field.slice(0, Math.max(0, equals)), field.slice(equals + 1)];
    }),
  );
  const [avg10, avg60, avg300] = ["avg10", "avg60", "avg300"].map((key) => parsePercent(values.get(key)));
  const totalUs = parseCount(values.get("total"));
  if (avg10 === undefined || avg60 === undefined || avg300 === undefined || totalUs === undefined) {
    return undefined;
  }
  return { avg10, avg60, avg300, totalUs };
}

function parsePercent(token: string | undefined): number | undefined {
  if (token === undefined || !/^\d{1,3}\.\d{2}$/.test(token)) return undefined;
  const percent = Number(token);
  return percent <= 100 ? percent : undefined;
}
