/** One part of a dump: text, or a file. */
export interface Piece {
  readonly name: string | undefined;
  readonly content: string | Blob;
}

/** Several parts become one text, each under its name, as `tail` heads files; one alone stays as it is. */
export async function joinPieces(pieces: readonly Piece[]): Promise<string> {
  const texts = await Promise.all(
    pieces.map(async ({ content }) => (typeof content === "string" ? content : content.text())),
  );
  if (texts.length === 1) return texts[0] ?? "";
  return texts
    .map((text, index) => {
      const name = pieces[index]?.name?.replace(/\s+/g, "_");
      const whole = text.endsWith("\n") ? text : `${text}\n`;
      return name === undefined ? whole : `==> ${name} <==\n${whole}`;
    })
    .join("\n");
}
