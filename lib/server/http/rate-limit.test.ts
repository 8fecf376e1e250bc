import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rate-limit.ts";

describe("the rate limiter", () => {
  it("allows a burst, then says how long to wait, then refills", () => {
    let nowMs = 1_000_000;
    const limiter = createRateLimiter({ burst: 3, perSecond: 0.5, now: () => nowMs });
    expect([1, 2, 3].map(() => limiter.take("a"))).toEqual([0, 0, 0]);
    expect(limiter.take("a")).toBe(2);
    expect(limiter.take("b")).toBe(0);
    nowMs += 1000;
    expect(limiter.peek("a")).toBe(1);
    nowMs += 1000;
    expect(limiter.take("a")).toBe(0);
    expect(limiter.take("a")).toBe(2);
  });

  it("never lets a key do more than burst and rate allow, also when the clock steps back", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2000, max: 5000 }), { maxLength: 200 }), (stepsMs) => {
        let nowMs = 1_000_000;
        let forwardMs = 0;
        const limiter = createRateLimiter({ burst: 5, perSecond: 1, now: () => nowMs });
        let allowed = 0;
        for (const step of stepsMs) {
          nowMs += step;
          forwardMs += Math.max(0, step);
          if (limiter.take("key") === 0) allowed += 1;
        }
        expect(allowed).toBeLessThanOrEqual(5 + forwardMs / 1000 + 1e-9);
      }),
    );
  });

  it("forgets the key that was unused for longest", () => {
    const limiter = createRateLimiter({ burst: 1, perSecond: 0.001, maxKeys: 2, now: () => 0 });
    limiter.take("a");
    limiter.take("b");
    limiter.take("a");
    limiter.take("c");
    expect(limiter.peek("b")).toBe(0);
    expect(limiter.peek("a")).toBeGreaterThan(0);
  });
});
