import { describe, expect, it } from "vitest";
import { matchSignatures } from "./match-signatures.ts";
import { missingText } from "./missing-text.ts";
import { SIGNATURES } from "./registry.ts";

const NOTHING = { levels: {}, changes: {} };

describe("missingText", () => {
  it.each([
    ["slab.net_namespace.objects", "objects of slab cache net_namespace"],
    ["slab.kmalloc-64.bytes", "slab cache kmalloc-64"],
    ["meminfo.SUnreclaim", "unreclaimable slab (SUnreclaim)"],
    ["band.percpu", "percpu (Percpu)"],
    ["watch./run/crio/exits.files", "files in /run/crio/exits"],
    ["vmalloc.module_alloc.usedKib", "vmalloc of module_alloc"],
    ["log:slab allocation failed", "log lines of “slab allocation failed”"],
    ["band.unacc ~ net.rx.bytes", "whether unaccounted memory and bytes received move together"],
    [
      "drop-caches-2 > slab.dentry.bytes",
      "what dropping dentries and inodes (drop_caches 2) does to slab cache dentry",
    ],
    ["loaded modules", "loaded modules"],
    ["change:band.percpu", "how percpu (Percpu) changed over time"],
  ])("says %s in words", (name, text) => {
    expect(missingText(name)).toBe(text);
  });
  it("leaves no name of a quantity of any signature as it is", () => {
    const asked = SIGNATURES.flatMap(({ key, requires = [], supports = [], excludes = [] }) =>
      [key, ...requires, ...supports, ...excludes].flatMap((sign) => sign(NOTHING).missing),
    );
    expect(asked.length).toBeGreaterThan(100);
    const raw = asked
      .map(missingText)
      .filter((text) => / [~>] |^log:|(?:^|\s)[a-z]+[A-Za-z]*\.[\w./-]*[A-Za-z]/.test(text));
    expect(raw).toEqual([]);
  });
  it("asks of a quantity that is known only how it changed", () => {
    const { findings } = matchSignatures({
      levels: { "fs.dentryState.nr_negative": 9e6, "fs.dentryState.nr_dentry": 1e7 },
      changes: {},
    });
    expect(findings[0]?.signature).toBe("S11");
    expect(findings[0]?.missing).toContain("how negative dentries changed over time");
    expect(findings[0]?.missing).not.toContain("negative dentries");
  });
  it("is what findings and possibilities say that they miss", () => {
    const { possible } = matchSignatures({
      levels: { "meminfo.MemTotal": 64 * 1024 * 1024 },
      changes: {
        "meminfo.SUnreclaim": { first: 1_000_000, last: 3_000_000, max: 3_000_000, hours: 30, samples: 30 },
      },
    });
    const missing = possible.flatMap((each) => each.missing);
    expect(missing).toContain("objects of slab cache net_namespace");
    expect(missing.filter((text) => text.startsWith("slab."))).toEqual([]);
  });
});
