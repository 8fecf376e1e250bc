/** A filter for columns that hold a text somewhere, in any case. LIKE's own wildcards are letters like any other to who searches. */
export function containing(text: string) {
  return { contains: text.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const };
}
