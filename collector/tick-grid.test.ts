import { describe, expect, it } from "vitest";
import { findGrid, nextTick } from "./tick-grid.ts";

const INTERVAL_MS = 15_000;
const MIDNIGHT_MS = Date.UTC(2026, 2, 1);

describe("nextTick", () => {
  const started = { monotonicMs: 500, wallMs: MIDNIGHT_MS + 4000 };
  const grid = findGrid(started, INTERVAL_MS);
  const after = (ms: number, stepMs = 0) => ({
    monotonicMs: started.monotonicMs + ms,
    wallMs: started.wallMs + ms + stepMs,
  });

  it("waits for the next full interval of the wall clock", () => {
    expect(nextTick(grid, started, INTERVAL_MS)).toEqual({ grid, waitMs: 11_000 });
    expect(nextTick(grid, after(10_999), INTERVAL_MS).waitMs).toBe(1);
  });

  it("waits a whole interval when it is called on the grid, never 0", () => {
    expect(nextTick(grid, after(11_000), INTERVAL_MS).waitMs).toBe(15_000);
  });

  it("leaves out what a suspended machine missed", () => {
    expect(nextTick(grid, after(11_000 + 10 * 15_000 + 2000), INTERVAL_MS)).toEqual({ grid, waitMs: 13_000 });
  });

  it.each([900, -900])("keeps its grid while the wall clock is slewed by %i ms", (stepMs) => {
    expect(nextTick(grid, after(11_000, stepMs), INTERVAL_MS)).toEqual({ grid, waitMs: 15_000 });
  });

  it.each([
    [5000, 10_000],
    [-5000, 5000],
    [3_605_000, 10_000],
  ])("finds the grid anew after the wall clock was set by %i ms", (stepMs, waitMs) => {
    const set = nextTick(grid, after(11_000, stepMs), INTERVAL_MS);
    expect(set.waitMs).toBe(waitMs);
    expect(set.grid).not.toBe(grid);
    const later = {
      monotonicMs: after(11_000).monotonicMs + waitMs,
      wallMs: after(11_000, stepMs).wallMs + waitMs,
    };
    expect(later.wallMs % INTERVAL_MS).toBe(0);
    expect(nextTick(set.grid, later, INTERVAL_MS)).toEqual({ grid: set.grid, waitMs: 15_000 });
  });

  it("takes a step of whole intervals for none, since the grid is the same", () => {
    expect(nextTick(grid, after(11_000, 4 * 15_000), INTERVAL_MS).grid).toBe(grid);
  });
});
