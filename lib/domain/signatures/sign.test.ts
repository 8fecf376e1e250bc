import { describe, expect, it } from "vitest";

import { amountText } from "./sign.ts";

describe("a value as text", () => {
  it("is whole where it counts things", () => {
    expect(amountText("conntrack.count", 12)).toBe("12");
    expect(amountText("conntrack.count", 262_144)).toBe("262,144");
    expect(amountText("band.ptables", 12 * 1024)).toBe("12.0 MiB");
  });
});
