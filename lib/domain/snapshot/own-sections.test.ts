import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readOwnSections } from "./own-sections.ts";
import { sourceSections } from "./source-sections.ts";
import type { Sources } from "./take-source.ts";

function read(parts: Record<string, string>, loadavg?: string) {
  const sources: Sources = {};
  return { sections: readOwnSections(new Map(Object.entries(parts)), loadavg, sources), sources };
}

describe("readOwnSections", () => {
  it("reads what a shell counted", () => {
    const { sections, sources } = read(
      {
        processes: "     35 I\n    115 S\n      2 Z\nnonsense\n",
        loop: "devices 8\nattached 2\ndeleted 1\n",
        "slab-names": "kmalloc-8 -> :0000008\nnames -> :0000008\nx(12:a) -> :0000008\n",
        "cgroup-walk": "live 4\ncontainers 2\nkmem-containers 2\nkmem-accounted 1\nkmem-bytes 4096\n",
        tmpfs: "1021994 4096 100 40 50 20 /run\n1021994 4096 0 0 0 0 /a b\n9fa0 1 2 1 1 1 /proc\n",
      },
      "1.00 1.00 1.00 3/512 99\n",
    );
    expect(sections).toEqual({
      tasks: { processes: 152, threads: 512, zombies: 2, uninterruptible: 0 },
      loop: { devices: 8, attached: 2, deleted: 1 },
      slabNames: { merged: [["kmalloc-8", "names"]], memcgChildCaches: 1 },
      kmemAccounting: { containers: 2, accounted: 1, usageKib: 4 },
      tmpfs: [
        { mount: "/run", usedKib: 240, sizeKib: 400, inodes: 50, inodesUsed: 30 },
        { mount: "/a b", usedKib: 0 },
      ],
    });
    expect(sources).toEqual({
      tasks: { status: "ok" },
      loop: { status: "ok" },
      "slab-names": { status: "ok" },
      tmpfs: { status: "ok" },
      kmem: { status: "ok" },
    });
  });

  it("says malformed of a part that holds nothing, and nothing of one that is not there", () => {
    expect(read({ processes: "none\n", loop: "devices 1\n" })).toEqual({
      sections: {},
      sources: { tasks: { status: "malformed" }, loop: { status: "malformed" } },
    });
  });

  it("gives on any text only what the wire format takes", () => {
    const names = fc.constantFrom("processes", "loop", "slab-names", "cgroup-walk", "tmpfs");
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom("1021994 4096 9 1 9 1 /x", "12 Z", "devices 1", "a -> b", "\ud800 -> b", "\u0000"),
          fc.string({ unit: "binary", maxLength: 30 }),
        ),
      )
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.dictionary(names, text), (parts) => {
        const { sections } = read(parts);
        for (const name of ["tasks", "loop", "slabNames", "kmemAccounting"] as const) {
          expect(sourceSections[name].safeParse(sections[name]).error).toBe(undefined);
        }
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});
