import { describe, expect, it } from "vitest";
import { followFinding, RESOLVED_AFTER_MS, type FindingStanding } from "./finding-state.ts";

const T0 = Date.UTC(2026, 2, 1);
const HOUR_MS = 3_600_000;
const at = (hours: number, wholeDay = true) => ({ nowMs: T0 + hours * HOUR_MS, wholeDay });

/** Follows one finding through readings an hour apart. */
function follow(readings: readonly ("suspected" | "firm" | undefined)[], begin?: FindingStanding) {
  let known = begin;
  const became: string[] = [];
  readings.forEach((seen, hour) => {
    const step = followFinding(known, seen, at(hour));
    if (step === undefined) return;
    const { became: words, ...standing } = step;
    known = standing;
    became.push(...words);
  });
  return { known, became };
}

describe("followFinding", () => {
  it("keeps nothing of what was never seen", () => {
    expect(followFinding(undefined, undefined, at(0))).toBeUndefined();
  });

  it("is new, grows firm once, and stays so in a quieter window", () => {
    const { known, became } = follow(["suspected", "firm", "suspected", "firm"]);
    expect(became).toEqual(["new", "firm"]);
    expect(known).toMatchObject({ state: "new", certainty: "firm", firstSeenAtMs: T0 });
  });

  it("is resolved when it has been gone for long enough, and not before", () => {
    const hours = RESOLVED_AFTER_MS / HOUR_MS;
    const gone = (readings: number) => follow(["firm", ...new Array<undefined>(readings).fill(undefined)]);
    expect(gone(hours - 1).known?.state).toBe("new");
    expect(gone(hours).became).toEqual(["new", "firm", "resolved"]);
    expect(gone(hours + 5).became).toEqual(["new", "firm", "resolved"]);
  });

  it("is not resolved by readings of a boot too young to show it", () => {
    const known: FindingStanding = {
      state: "acknowledged",
      certainty: "firm",
      firstSeenAtMs: T0,
      lastSeenAtMs: T0,
    };
    expect(followFinding(known, undefined, at(20, false))).toEqual({ ...known, became: [] });
  });

  it("returns, with the certainty that it has then, and remembers when it first came", () => {
    const resolved: FindingStanding = {
      state: "resolved",
      certainty: "firm",
      firstSeenAtMs: T0 - 1,
      lastSeenAtMs: T0 - 1,
    };
    const { known, became } = follow(["suspected", "suspected"], resolved);
    expect(became).toEqual(["returned"]);
    expect(known).toMatchObject({ state: "returned", certainty: "suspected", firstSeenAtMs: T0 - 1 });
  });

  it("stays acknowledged while it is seen", () => {
    const acknowledged: FindingStanding = {
      state: "acknowledged",
      certainty: "suspected",
      firstSeenAtMs: T0,
      lastSeenAtMs: T0,
    };
    expect(follow(["suspected", "firm"], acknowledged)).toMatchObject({
      known: { state: "acknowledged", certainty: "firm" },
      became: ["firm"],
    });
  });
});
