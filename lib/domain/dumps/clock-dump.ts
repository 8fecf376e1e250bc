import type { Artefact, Recogniser } from "./artefact.ts";
import { rowOf } from "./dump-line.ts";

const UPTIME = /^\s*(\d{2}:\d{2}(?::\d{2})?) up (.{1,40}?),\s+(?:\d+ users?,\s+)?load averages?:/;
const DATE =
  /^\s*((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{0,20}\d{1,2}:\d{2}:\d{2}.{0,30}|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?.{0,20})\s*$/;
const UNAME = /\b(?:Linux \S+ )?(\d\.\d{1,3}\.\d{1,3}-[\w.+~-]{1,80}|\d\.\d{1,3}\.\d{1,4}\+?(?= #\d))/;

/** uptime and date (whose whole line is what other lines have as prefix): when something was taken, as printed and in whatever zone that was. */
export const clockDump: Recogniser = {
  kind: "clock",
  recognise: (lines) =>
    lines.flatMap((line): readonly Artefact[] => {
      const text = rowOf(line);
      const uptime = UPTIME.exec(text);
      const at = uptime
        ? `${uptime[1] ?? ""}, up ${(uptime[2] ?? "").replace(/\s+/g, " ")}`
        : (DATE.exec(text)?.[1]?.trim() ?? (text === "" ? line.at : undefined));
      return at === undefined ? [] : [{ kind: "clock", lines: [line], facts: new Map(), at, warnings: [] }];
    }),
};

/** The first kernel release that stands in the lines (`uname -r`, the head of an oops, a list of versions). */
export function findKernelRelease(lines: readonly { readonly text: string }[]): string | undefined {
  for (const { text } of lines) {
    if (text.length > 2000 || !/kernel|linux|uname|\bPID: \d|^\s*\d\.\d+\.\d+-/i.test(text)) continue;
    const release = UNAME.exec(text)?.[1];
    if (release !== undefined && /[a-z]/i.test(release.slice(3))) return release;
  }
  return undefined;
}
