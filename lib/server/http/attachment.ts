/** Longest name of a file, in characters, without its ending: with that it stays within what file systems take as UTF-8. */
const MOST_CHARS = 60;
/** What a file system, a shell or a listing of files would mind: separators, wildcards, quotes, controls, marks of direction. */
const UNFIT =
  /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|'`$;&\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Content-Disposition of a file to be kept (RFC 6266): the name as UTF-8 (RFC 5987), and for old readers in ASCII.
 *
 * @example attachment("a \u00e9", "md") // `attachment; filename="a _.md"; filename*=UTF-8''a%20%C3%A9.md`
 */
export function attachment(title: string, ending: string): string {
  const plain = title.toWellFormed().replace(UNFIT, " ").replace(/\s+/g, " ");
  const name = `${
    [...plain]
      .slice(0, MOST_CHARS)
      .join("")
      .replace(/^[\s.]+|[\s.]+$/g, "") || "export"
  }.${ending}`;
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_").replaceAll("%", "_");
  const encoded = encodeURIComponent(name).replace(
    /[!()]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
