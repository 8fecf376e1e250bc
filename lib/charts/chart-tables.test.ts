import { expect, test } from "vitest";
import { sampleComposition, sampleSeries } from "../../scripts/testing/chart-samples.ts";
import { compositionTable, laneTable } from "./chart-tables.ts";
import { cgroupsLane, containersLane, kernelMemoryLane, watchLane } from "./lane-model.ts";

test("the heads of a composition are words with their unit, one a band", () => {
  const { columns, rows } = compositionTable(sampleComposition({ count: 3 }));
  expect(columns).toEqual([
    "time (UTC)",
    "free (KiB)",
    "per-CPU free lists (KiB)",
    "page cache (KiB)",
    "buffers (KiB)",
    "shmem and tmpfs (KiB)",
    "anonymous memory (KiB)",
    "reclaimable slab (KiB)",
    "unreclaimable slab (KiB)",
    "kernel stacks (KiB)",
    "page tables (KiB)",
    "percpu (KiB)",
    "vmalloc (KiB)",
    "hugetlb (KiB)",
    "other (KiB)",
    "unaccounted (KiB)",
    "MemTotal (KiB)",
    "non-cache kernel memory (KiB)",
    "unreclaimable kernel memory (KiB)",
  ]);
  expect(rows[0]).toHaveLength(columns.length);
  expect(rows[0]?.[columns.indexOf("vmalloc (KiB)")]).toBeNull();
});

test("the heads of the lanes say what is counted", () => {
  const series = sampleSeries();
  const lanes = [
    kernelMemoryLane(sampleComposition()),
    containersLane(series),
    cgroupsLane(series, false),
    watchLane(series),
  ];
  const heads = lanes.flatMap((lane) => (lane ? laneTable(lane).columns.slice(1) : []));
  expect(heads).toEqual(
    expect.arrayContaining([
      "unreclaimable kernel memory (KiB)",
      "containers started per hour, over 15 min",
      "live memory cgroups",
    ]),
  );
  expect(heads.join()).not.toMatch(/\(count\)|\(per hour\)/);
});
