/**
 * A non-negative decimal integer as the kernel prints counters, or `undefined`.
 *
 * Above 2^53 - 1 a JavaScript number is no longer exact, and no memory counter gets there: what stands there is a
 * per-CPU sum that was read below zero and printed as unsigned 64 bits. Such a value is unusable and so is absent.
 */
export function parseCount(token: string | undefined): number | undefined {
  if (token === undefined || !/^\d{1,20}$/.test(token)) return undefined;
  const value = Number(token);
  return Number.isSafeInteger(value) ? value : undefined;
}
