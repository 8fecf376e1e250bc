import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { isKmemAccounted } from "./kmem-accounting.ts";
import type { SourceText } from "./take-source.ts";

const text = (content: string): SourceText => ({ status: "ok", text: content });
const ioError: SourceText = { status: "malformed", detail: "EIO: i/o error, read" };

describe("isKmemAccounted", () => {
  it("is proven by memory that was counted", () => {
    expect(isKmemAccounted(text("213282816\n"), undefined)).toBe(true);
  });

  it("is proven by slab caches of its own, though nothing is in them now", () => {
    const caches = readTreeFile("3.10-el7-x86_64", "sys/fs/cgroup/memory/memory.kmem.slabinfo") ?? "";
    expect(isKmemAccounted(text("0\n"), text(caches))).toBe(true);
  });

  it("is not proven by a slabinfo that is there and empty, as on every kernel of today", () => {
    const empty = readTreeFile("6.18-debian12-x86_64", "sys/fs/cgroup/memory/memory.kmem.slabinfo");
    expect(empty).toBe("");
    expect(isKmemAccounted(text("0\n"), text(empty ?? "x"))).toBe(false);
  });

  it("is off where 3.10 answers with an error", () => {
    expect(isKmemAccounted(text("0\n"), ioError)).toBe(false);
  });

  it("is not known where the counter is not there, denied or no number", () => {
    expect(isKmemAccounted({ status: "absent" }, undefined)).toBe(undefined);
    expect(isKmemAccounted({ status: "denied" }, undefined)).toBe(undefined);
    expect(isKmemAccounted(text("soon\n"), undefined)).toBe(undefined);
  });
});
