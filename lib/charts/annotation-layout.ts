/** What is to be hung above the plot: the pole's place and the width its flag needs. */
export interface FlagInput {
  readonly xPx: number;
  readonly widthPx: number;
}

/** Where one flag hangs. Row 0 is the lowest; the flag spans `leftPx` to `rightPx` and touches its pole at one end. */
export interface FlagPlace {
  readonly row: number;
  readonly side: "right" | "left";
  readonly leftPx: number;
  readonly rightPx: number;
}

/** Least space between two flags of one row. */
const SPACE_PX = 6;
/** How far a pole stays away from the free end of another's flag. */
const POLE_SPACE_PX = 2;
/** Steps of the search after which the best layout so far is taken: a few milliseconds. */
const BUDGET = 40_000;

interface Candidate extends FlagPlace {
  readonly xPx: number;
}

function poleCrosses(poleXPx: number, flag: Candidate): boolean {
  if (Math.abs(poleXPx - flag.xPx) < 0.01) return false;
  return poleXPx > flag.leftPx - POLE_SPACE_PX && poleXPx < flag.rightPx + POLE_SPACE_PX;
}

function clash(a: Candidate, b: Candidate): boolean {
  if (a.row === b.row) return a.leftPx < b.rightPx + SPACE_PX && b.leftPx < a.rightPx + SPACE_PX;
  // The pole of the higher flag drops through the rows below it.
  return a.row > b.row ? poleCrosses(a.xPx, b) : poleCrosses(b.xPx, a);
}

function search(
  flags: readonly FlagInput[],
  leftPx: number,
  rightPx: number,
  rows: number,
  budget: { left: number },
): FlagPlace[] | undefined {
  let best: Candidate[] | undefined;
  let bestCost = Infinity;
  const chosen: Candidate[] = [];
  const visit = (index: number, cost: number): void => {
    if (cost >= bestCost || budget.left-- <= 0) return;
    const flag = flags[index];
    if (!flag) {
      best = chosen.slice();
      bestCost = cost;
      return;
    }
    for (const side of ["right", "left"] as const) {
      const from = side === "right" ? flag.xPx : flag.xPx - flag.widthPx;
      const to = from + flag.widthPx;
      if (from < leftPx || to > rightPx) continue;
      for (let row = 0; row < rows; row++) {
        const candidate: Candidate = { row, side, leftPx: from, rightPx: to, xPx: flag.xPx };
        if (chosen.some((other) => clash(other, candidate))) continue;
        chosen.push(candidate);
        visit(index + 1, cost + (side === "left" ? 1 : 0));
        chosen.pop();
      }
    }
  };
  visit(0, 0);
  return best?.map(({ row, side, leftPx: left, rightPx: right }) => ({
    row,
    side,
    leftPx: left,
    rightPx: right,
  }));
}

/**
 * Hangs flags above the plot so that no flag overlaps another and no pole passes through another's flag, with the
 * fewest rows and then the fewest flags to the left of their pole. Returns undefined when there is no such layout
 * within `maxRows`: then numbers stand at the poles and a list beneath.
 */
export function layoutFlags(
  flags: readonly FlagInput[],
  leftPx: number,
  rightPx: number,
  maxRows = 5,
): readonly FlagPlace[] | undefined {
  if (flags.length === 0) return [];
  if (flags.length > 16) return undefined;
  for (let rows = 1; rows <= Math.min(maxRows, flags.length); rows++) {
    const found = search(flags, leftPx, rightPx, rows, { left: BUDGET });
    if (found) return found;
  }
  return undefined;
}

/** A stretch of the time axis, pixels. */
export interface Span {
  readonly fromPx: number;
  readonly toPx: number;
}

/**
 * Rows for stretches of time, counted from 0, so that no two in a row touch; the fewest that can be. In the order given.
 */
export function layoutSpans(spans: readonly Span[], spacePx = 2): number[] {
  const rows = new Array<number>(spans.length).fill(0);
  const takenTo: number[] = [];
  for (const [index, span] of [...spans.entries()].sort(([, a], [, b]) => a.fromPx - b.fromPx)) {
    const free = takenTo.findIndex((toPx) => toPx + spacePx <= span.fromPx);
    const row = free < 0 ? takenTo.length : free;
    takenTo[row] = Math.max(span.fromPx, span.toPx);
    rows[index] = row;
  }
  return rows;
}

/** What several stretches cover together, from left to right: drawn once each, however many lie over one another. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: { fromPx: number; toPx: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.fromPx - b.fromPx)) {
    const last = merged.at(-1);
    if (last && span.fromPx <= last.toPx) last.toPx = Math.max(last.toPx, span.toPx);
    else merged.push({ ...span });
  }
  return merged;
}

/** Numbers at the poles where flags do not fit; neighbours that would touch share one. Indexes count from 0. */
export interface NumberPlace {
  readonly xPx: number;
  readonly first: number;
  readonly last: number;
}

/** Groups poles, ordered from left to right, into numbers at least `widthPx` apart: what can be reached of one is 24 wide. */
export function layoutNumbers(poles: readonly number[], widthPx = 24): NumberPlace[] {
  const groups: { first: number; last: number; xPx: number }[] = [];
  const widthOf = (group: { first: number; last: number }) =>
    group.first === group.last ? widthPx : widthPx * 1.9;
  poles.forEach((xPx, index) => {
    let group = { first: index, last: index, xPx };
    for (let before = groups.at(-1); before; before = groups.at(-1)) {
      if (group.xPx - before.xPx >= (widthOf(before) + widthOf(group)) / 2) break;
      groups.pop();
      const ends = [poles[before.first] ?? xPx, poles[group.last] ?? xPx] as const;
      group = { first: before.first, last: group.last, xPx: (ends[0] + ends[1]) / 2 };
    }
    groups.push(group);
  });
  return groups;
}
