import { describe, expect, it } from "vitest";
import { memcgIdsHeld } from "./memcg-ids.ts";

describe("memory-cgroup ids in use", () => {
  const counts = { count: 900, live: 100, dying: 800 };

  it("are those of live cgroups from 4.8, and of dying ones too before", () => {
    expect(memcgIdsHeld("4.8.0-rc1", counts)).toBe(100);
    expect(memcgIdsHeld("4.18.0-305.el8.x86_64", counts)).toBe(100);
    expect(memcgIdsHeld("6.18.0", counts)).toBe(100);
    expect(memcgIdsHeld("4.7.10", counts)).toBe(900);
    expect(memcgIdsHeld("3.10.0-1160.el7.x86_64", counts)).toBe(900);
  });

  it("are worked out from the other two, and unknown from one", () => {
    expect(memcgIdsHeld("5.14.0", { count: 900, dying: 800 })).toBe(100);
    expect(memcgIdsHeld("3.10.0", { live: 100, dying: 800 })).toBe(900);
    expect(memcgIdsHeld("5.14.0", { count: 900 })).toBeUndefined();
    expect(memcgIdsHeld("3.10.0", { live: 100, dying: null })).toBeUndefined();
  });
});
