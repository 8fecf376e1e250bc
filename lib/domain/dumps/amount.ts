import { parseCount } from "../procfs/parse-count.ts";

/** An amount of memory as a person or a tool wrote it. */
export interface Amount {
  /** KiB when the amount names its unit, else the bare number in the unit of its table. */
  readonly value: number;
  readonly hasUnit: boolean;
  /** Printed with decimals, so right only to half of the last one. */
  readonly rounded: boolean;
}

const KIB_OF: Readonly<Record<string, number>> = {
  b: 1 / 1024,
  k: 1,
  m: 1024,
  g: 1024 ** 2,
  t: 1024 ** 3,
  p: 1024 ** 4,
};

const GROUPED = /^\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*$/;

/** An integer, also with thousands points (`1,234,567`, `1.234.567`, `1'234'567`), or `undefined`. */
export function parseGroupedCount(token: string | undefined): number | undefined {
  if (token === undefined || token.length > 30) return undefined;
  return parseCount(GROUPED.test(token) ? token.replace(/[.,'’]/g, "") : token);
}

/**
 * `3895`, `3,7Gi`, `1.5G`, `560Mi`, `0B`, `126388K`, `62.8GiB`. Multiples of 1024 throughout: that is what free, df,
 * smem and slabtop print unless they are told `--si`. `undefined` for anything else.
 */
export function parseAmount(token: string | undefined): Amount | undefined {
  const match = /^(\d{1,15})(?:[.,](\d{1,6}))?([bkmgtp])?(?:i?b?)?$/i.exec(token ?? "");
  if (!match) return undefined;
  const [, whole = "", decimals, unit] = match;
  if (unit === undefined && /[a-z]$/i.test(token ?? "")) return undefined;
  const value =
    Number(`${whole}.${decimals ?? "0"}`) * (unit === undefined ? 1 : (KIB_OF[unit.toLowerCase()] ?? 1));
  return { value, hasUnit: unit !== undefined, rounded: decimals !== undefined };
}
