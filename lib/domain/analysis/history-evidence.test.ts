import { describe, expect, it } from "vitest";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { isGrowth } from "../signatures/sign.ts";
import { changeOf, changesTogether } from "./history-evidence.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024;
const MEM_TOTAL_KIB = 64 * 1024 * MIB;
const KERNEL = "total.kernelUnreclaimable";

function boot(points: number, stepHours: number, valueAt: (hour: number) => number, ageHours = 1000) {
  const hours = Array.from({ length: points }, (_, point) => point * stepHours);
  return {
    bootId: "a",
    bootedAtMs: -ageHours * HOUR_MS,
    timesMs: hours.map((hour) => hour * HOUR_MS),
    values: hours.map(valueAt),
  };
}

function growth(name: string, history: ReturnType<typeof boot>): { is: boolean; certain: boolean } {
  const change = changeOf(name, history, MEM_TOTAL_KIB);
  if (change === undefined) throw new Error("there are points enough");
  return { is: isGrowth(name, change, MEM_TOTAL_KIB), certain: change.lowerPerHour !== undefined };
}

const noise = (sdKib: number, seed = 7) => {
  const rng = createRng(seed);
  return () => sdKib * rng.normal();
};

describe("changeOf", () => {
  it("is certain of a rise that goes on for a week", () => {
    const around = noise(20 * MIB);
    expect(
      growth(
        KERNEL,
        boot(42, 4, (hour) => 2e6 + 20 * MIB * hour + around()),
      ),
    ).toEqual({
      is: true,
      certain: true,
    });
  });

  it("finds no growth in a step, in a day's rhythm, in a rise that has ended, or in noise", () => {
    const around = noise(20 * MIB);
    const histories = [
      boot(42, 4, (hour) => 2e6 + (hour > 90 ? 4000 * MIB : 0) + around()),
      boot(42, 4, (hour) => 2e6 + 500 * MIB * Math.sin((2 * Math.PI * hour) / 24) + around()),
      boot(42, 4, (hour) => 2e6 + 40 * MIB * Math.min(hour, 70) + around()),
      boot(42, 4, () => 2e6 + around()),
    ];
    expect(histories.map((history) => growth(KERNEL, history).is)).toEqual([false, false, false, false]);
  });

  it("suspects a large rise of a young boot, and no small one, which may be its morning", () => {
    const around = noise(2 * MIB);
    const young = (mibPerHour: number) =>
      boot(48, 0.25, (hour) => 2e6 + mibPerHour * MIB * hour + around(), 2.5);
    expect(growth(KERNEL, young(200))).toEqual({ is: true, certain: false });
    expect(growth(KERNEL, young(10)).is).toBe(false);
  });

  it("knows a count in its own unit, and bytes as memory", () => {
    expect(
      growth(
        "cgroup.memory.dying",
        boot(42, 4, (hour) => 1000 + 30 * hour),
      ).is,
    ).toBe(true);
    expect(
      growth(
        "tasks.zombies",
        boot(42, 4, (hour) => 3 + Math.floor(hour / 60)),
      ),
    ).toMatchObject({ is: false });
    const bytes = changeOf(
      "slab.dentry.bytes",
      boot(42, 4, (hour) => 1024 * (2e6 + 20 * MIB * hour)),
      MEM_TOTAL_KIB,
    );
    expect((bytes?.slopePerHour ?? 0) / (1024 * 20 * MIB)).toBeCloseTo(1, 6);
  });

  it("says nothing of one point", () => {
    expect(
      changeOf(
        KERNEL,
        boot(1, 4, () => 1),
        MEM_TOTAL_KIB,
      ),
    ).toBeUndefined();
  });
});

describe("changesTogether", () => {
  const created = (rate: (hour: number) => number) => {
    let sum = 0;
    return Array.from({ length: 42 }, (_, hour) => (sum += rate(hour)));
  };

  it("sees what follows a driver that comes and goes", () => {
    const jobs = created((hour) => (hour % 7 < 3 ? 900 : 20));
    expect(
      changesTogether(
        jobs.map((count) => 5000 + 0.9 * count),
        jobs,
      ),
    ).toBeGreaterThan(0.95);
  });

  it("says that a driver is not followed only where it varies", () => {
    const around = noise(100, 3);
    const unmoved = Array.from({ length: 42 }, around);
    const varying = created((hour) => (hour % 7 < 3 ? 900 : 20));
    const rng = createRng(5);
    const steady = created(() => 900 + rng.normal());
    expect(Math.abs(changesTogether(unmoved, varying) ?? 1)).toBeLessThan(0.5);
    expect(changesTogether(unmoved, steady)).toBeUndefined();
  });

  it("does not judge by a few pairs", () => {
    expect(changesTogether([1, 2, 3, 4], [1, 2, 3, 4])).toBeUndefined();
  });
});
