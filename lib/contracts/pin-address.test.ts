import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pinnedAddress, readPinAddress } from "./pin-address.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const pinned = (kind: Parameters<typeof pinnedAddress>[0], address: string) => {
  const result = pinnedAddress(kind, address, { nowMs });
  return result.ok ? result.address : result.message;
};

describe("a pinned address", () => {
  it("keeps its moments, and gets them where it followed the clock", () => {
    expect(pinned("chart", "/nodes/7?from=1&to=2&view=change")).toBe("/nodes/7?from=1&to=2&view=change");
    expect(pinned("chart", "/nodes/7?from=now-6h&to=now&timezone=utc")).toBe(
      `/nodes/7?from=${nowMs - 6 * 3_600_000}&to=${nowMs}&timezone=utc`,
    );
    expect(pinned("chart", "/nodes/7")).toBe(`/nodes/7?from=${nowMs - 86_400_000}&to=${nowMs}`);
    expect(pinned("table", "/nodes/7/slab?cache=a&cache=b&from=1&to=2")).toBe(
      "/nodes/7/slab?cache=a&cache=b&from=1&to=2",
    );
    expect(pinned("comparison", "/compare?a=1&b=2&from=now%2Fd&to=now%2Fd&a.from=now-1d%2Fd")).toBe(
      `/compare?a=1&b=2&from=${Date.parse("2026-12-03")}&to=${Date.parse("2026-12-04") - 1}&a.from=${Date.parse("2026-12-02")}`,
    );
    expect(pinned("comparison", "/compare?a=1&b=2&align=boot")).toBe("/compare?a=1&b=2&align=boot");
    expect(pinned("table", "/?sort=growth")).toBe("/?sort=growth");
    expect(pinned("table", "/findings?state=returned")).toBe("/findings?state=returned");
    expect(pinned("dump", "")).toBe("");
  });

  it.each([
    ["chart", "https://example.org/"],
    ["chart", "//example.org/nodes/7"],
    ["chart", "/\\example.org"],
    ["chart", "/nodes/7#x"],
    ["chart", "/nodes/0"],
    ["chart", "/nodes/9999999999"],
    ["chart", "/api/v1/nodes/7"],
    ["chart", "/constructor"],
    ["chart", "/compare?a=1&b=2"],
    ["chart", "/nodes/7?from=later"],
    ["chart", "/nodes/7?from=5&to=4"],
    ["chart", "/nodes/7?timezone=Nowhere"],
    ["effect", "/nodes/7?from=1&to=2"],
    ["dump", "/nodes/7"],
  ] as const)("of kind %s is never %s", (kind, address) => {
    expect(pinnedAddress(kind, address, { nowMs }).ok).toBe(false);
  });

  it("stays as it is when it is pinned again, and any text is read", () => {
    fc.assert(
      fc.property(fc.constantFrom("/nodes/7", "/compare", "/"), fc.string(), (path, query) => {
        const address = `${path}?${query}`;
        readPinAddress(address);
        const kind = path === "/compare" ? "comparison" : "table";
        const once = pinnedAddress(kind, address, { nowMs });
        if (!once.ok) return;
        expect(pinnedAddress(kind, once.address, { nowMs: nowMs + 1e9 })).toEqual(once);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
