import { describe, expect, it } from "vitest";
import { creationChange } from "./creation-change.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 2, 1);
const AT_MS = START_MS + 6 * HOUR_MS;
const deed = { beforeFromMs: START_MS, atMs: AT_MS, settledMs: AT_MS, afterToMs: AT_MS + 6 * HOUR_MS };

/** Twelve hours of five minutes, the rate changed in the middle; counts where `known`. */
function boot(before: number, after: number, known: (index: number) => boolean = () => true) {
  const timesMs = Array.from({ length: 145 }, (_, index) => START_MS + index * 5 * MINUTE_MS);
  const created = timesMs.map((timeMs, index) => {
    const hours = (timeMs - AT_MS) / HOUR_MS;
    return known(index) ? 100_000 + (hours < 0 ? before : after) * hours : null;
  });
  return { bootId: "one", timesMs, values: timesMs.map(() => 0), created, live: timesMs.map(() => 0) };
}

describe("creationChange", () => {
  it("finds that a deed made fewer containers, or more", () => {
    const fewer = creationChange([boot(2400, 60)], deed);
    expect(fewer?.direction).toBe("fewer");
    expect(fewer?.before).toBeCloseTo(2400, 6);
    expect(fewer?.after).toBeCloseTo(60, 6);
    expect(creationChange([boot(0, 60)], deed)).toMatchObject({ direction: "more" });
  });

  it("finds none where the rate went on much as before, or nothing was created at all", () => {
    expect(creationChange([boot(2400, 1300)], deed)).toBeUndefined();
    expect(creationChange([boot(2400, 2400)], deed)).toBeUndefined();
    expect(creationChange([boot(0, 0)], deed)).toBeUndefined();
  });

  it("cannot say with less than 20 min of counts on a side", () => {
    expect(creationChange([boot(2400, 60, (index) => index < 76)], deed)).toBeUndefined();
    expect(creationChange([boot(2400, 60, (index) => index < 77)], deed)).toMatchObject({
      direction: "fewer",
    });
    expect(creationChange([], deed)).toBeUndefined();
  });

  it("takes no difference across a reboot", () => {
    const one = boot(2400, 60, (index) => index <= 72);
    const two = boot(0, 60, (index) => index > 72);
    const found = creationChange(
      [one, { ...two, bootId: "two", created: two.created.map((n) => n && n - 99_000) }],
      deed,
    );
    expect(found?.after).toBeCloseTo(60, 6);
  });
});
