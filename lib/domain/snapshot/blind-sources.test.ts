import { describe, expect, it } from "vitest";
import { blindSourcesOf } from "./blind-sources.ts";

describe("blindSourcesOf", () => {
  it("names what could not be read, and what the node's collector cannot read, but not what is not there", () => {
    expect(
      blindSourcesOf({
        vmstat: { status: "ok" },
        slabinfo: { status: "denied" },
        kmsg: { status: "absent", detail: "the shell collector does not read the kernel log" },
        arcstats: { status: "absent" },
        journal: { status: "absent", detail: "journalctl is not installed" },
      }),
    ).toEqual(["kmsg", "slabinfo"]);
  });
});
