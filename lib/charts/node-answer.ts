import type { Effect } from "#lib/contracts/annotation.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import { formatDuration } from "./format.ts";
import { formatMoment } from "./format-time.ts";
import type { Mark } from "./marks-model.ts";

/** The answer of a node: what is so, and below it what follows and what is open. */
export interface NodeAnswer {
  readonly sentence: string;
  readonly below: string;
}

const TELLING: readonly Effect["slopeVerdict"][] = ["stopped", "slowed", "faster", "started"];

/**
 * One sentence, two at most: the newest mark of a person at which the slope changed, else at which memory was freed, else
 * the trend of the window. What else was freed stands below.
 *
 * @param trend trend of the window; undefined while it is not known
 */
export function nodeAnswer(
  trend: Trend | undefined,
  marks: readonly Mark[],
  view: { zone: string; nowMs: number },
): NodeAnswer {
  const deeds = marks.filter((mark) => !mark.byMachine && mark.effect !== undefined);
  const freed = deeds.filter((mark) => mark.effect?.levelVerdict === "freed");
  const telling =
    deeds.findLast((mark) => mark.effect && TELLING.includes(mark.effect.slopeVerdict)) ?? freed.at(-1);
  const waiting = marks.findLast((mark) => mark.effect?.slopeVerdict === "too-early" && !mark.byMachine);
  const below: string[] = [];
  const end = trend?.exhaustion;
  // A silent node may be past the end that its last samples led to.
  if (end && end.at > view.nowMs) {
    const far = end.ci95[1] === null ? "no upper end" : formatMoment(end.ci95[1], view.zone, view.nowMs);
    const by =
      end.since === undefined
        ? ""
        : `, by its growth since ${formatMoment(end.since, view.zone, view.nowMs)}`;
    below.push(
      `At this rate ${end.what} runs out in ${formatDuration(end.at - view.nowMs)}, at ${formatMoment(end.at, view.zone, view.nowMs)} (95 %: ${formatMoment(end.ci95[0], view.zone, view.nowMs)} to ${far})${by}.`,
    );
  }
  for (const mark of freed) {
    if (mark === telling || !mark.verdict) continue;
    const when = formatMoment(mark.annotation.at, view.zone, view.nowMs);
    below.push(`${mark.title}, ${when}: ${mark.verdict.word}.`);
  }
  if (telling?.effect) {
    below.push(`${sideText(telling.effect)}.`);
    if (trend) below.push(trend.text);
  }
  if (waiting?.effect) {
    const due = waiting.effect.enoughAt;
    below.push(
      `${waiting.title}: too early to tell${due === null || due <= view.nowMs ? "" : `, due ${formatMoment(due, view.zone, view.nowMs)}`}.`,
    );
  }
  return {
    sentence: telling?.effect?.text ?? trend?.text ?? "No trend is known for this window yet.",
    below: below.join(" "),
  };
}

/** Which look a sentence is of: the log of experiments keeps looks after 1 h, 6 h, 24 h and 7 d, with other figures. */
function sideText({ before, after }: Effect): string {
  const [beforeText, afterText] = [before, after].map(({ from, to }) => formatDuration(to - from));
  return `Looked at anew over ${beforeText} before and ${afterText} after the mark`;
}
