import { describe, expect, it } from "vitest";
import { noticeEvents } from "./notice-events.ts";

const AT = new Date("2026-01-02T03:04:05Z");

describe("noticeEvents", () => {
  it("notices nothing at the first sample", () => {
    expect(noticeEvents(undefined, { oom_kill: 7, drop_slab: 1 }, AT)).toEqual({
      noticed: { counters: { oom_kill: 7, drop_slab: 1 }, toldAhead: 0 },
      list: [],
    });
  });

  it("tells what moved since", () => {
    const before = { counters: { oom_kill: 7, drop_pagecache: 0, drop_slab: 0 }, toldAhead: 0 };
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
    const before = { counters: { oom_kill: 7 }, toldAhead: 0 };
    expect(noticeEvents(before, undefined, AT)).toEqual({ noticed: before, list: [] });
    expect(noticeEvents(before, { oom_kill: 2, drop_slab: 5 }, AT).list).toEqual([]);
  });

  it("leaves to the log the kills that the log tells, in whichever order the two are read", () => {
    const first = noticeEvents({ counters: { oom_kill: 7 }, toldAhead: 0 }, { oom_kill: 8 }, AT, 2);
    expect(first.list).toEqual([]);
    const second = noticeEvents(first.noticed, { oom_kill: 10 }, AT, 0);
    expect(second.list.map(({ title }) => title)).toEqual(["The OOM killer ended a process"]);
  });
});
