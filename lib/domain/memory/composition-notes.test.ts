import { describe, expect, it } from "vitest";

import { describeNote } from "./composition-notes.ts";

describe("describeNote", () => {
  it("names what is folded, in the words of the bands", () => {
    expect(describeNote({ kind: "folded", terms: ["percpu", "vmalloc", "largeKmalloc"] })).toBe(
      "This kernel or collector does not report percpu, vmalloc and large kmallocs: they are part of unaccounted.",
    );
    expect(describeNote({ kind: "folded", terms: ["pcp"] })).toContain("report per-CPU free lists: they");
  });

  it("has a sentence of its own for every kind", () => {
    const sentences = [
      describeNote({ kind: "vmalloc-is-address-space" }),
      describeNote({ kind: "vmap-stack-assumed" }),
      describeNote({ kind: "shmem-in-file" }),
      describeNote({ kind: "slab-not-split" }),
      describeNote({ kind: "swapcache-range", lowKib: 0, highKib: 1 }),
      describeNote({ kind: "balloon-not-placed", balloonKib: 1 }),
      describeNote({ kind: "unaccounted-drift" }),
      describeNote({ kind: "unaccounted-negative", shareOfTotal: -0.02 }),
    ];
    expect(new Set(sentences).size).toBe(8);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
