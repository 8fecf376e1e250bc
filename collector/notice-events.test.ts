import { describe, expect, it } from "vitest";
import { noticeEvents } from "./notice-events.ts";

const AT = new Date("2026-01-02T03:04:05Z");

describe("noticeEvents", () => {
  it("notices nothing at the first sample", () => {
    expect(noticeEvents(undefined, { oom_kill: 7, drop_slab: 1 }, AT)).toEqual({
      noticed: { oom_kill: 7, drop_slab: 1 },
      list: [],
    });
  });

  it("tells what moved since", () => {
    const before = { oom_kill: 7, drop_pagecache: 0, drop_slab: 0 };
    const { list } = noticeEvents(before, { oom_kill: 9, drop_pagecache: 1, drop_slab: 0 }, AT);
    expect(list).toEqual([
      { at: "2026-01-02T03:04:05.000Z", kind: "oom-kill", title: "The OOM killer ended 2 processes" },
      {
        at: "2026-01-02T03:04:05.000Z",
        kind: "drop-caches",
        title: "The page cache was dropped by hand (drop_caches)",
      },
    ]);
  });

  it("keeps what it knew when vmstat cannot be read, and is silent about a counter that fell or is new", () => {
    const before = { oom_kill: 7 };
    expect(noticeEvents(before, undefined, AT)).toEqual({ noticed: before, list: [] });
    expect(noticeEvents(before, { oom_kill: 2, drop_slab: 5 }, AT).list).toEqual([]);
  });
});
