/** SQL for the epoch milliseconds of a timestamptz expression, as a number that node-postgres reads without loss. */
export function epochMs(expression: string): string {
  return `(date_part('epoch', ${expression}) * 1000)::float8`;
}
