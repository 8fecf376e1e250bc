import { describe, expect, it } from "vitest";
import { INVESTIGATION_STATUSES, mayBecome } from "./status.ts";

describe("the status of an investigation", () => {
  it("goes only where its history allows", () => {
    const ways = Object.fromEntries(
      INVESTIGATION_STATUSES.map((from) => [
        from,
        INVESTIGATION_STATUSES.filter((to) => mayBecome(from, to)),
      ]),
    );
    expect(ways).toEqual({
      open: ["open", "watching", "resolved"],
      watching: ["open", "watching", "resolved"],
      resolved: ["resolved", "reopened"],
      reopened: ["watching", "resolved", "reopened"],
    });
  });
});
