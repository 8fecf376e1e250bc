import { describe, expect, it } from "vitest";
import type { DirectoryGrowth } from "#lib/contracts/directory.ts";
import type { Trend } from "#lib/contracts/trend.ts";
import {
  chartedPlaces,
  directoryCsv,
  directoryFinding,
  directoryRows,
  mountRows,
} from "./directory-model.ts";

const nowMs = Date.UTC(2026, 2, 3, 12);
const HOUR = 3_600_000;

function trend(rest: Partial<Trend> = {}): Trend {
  return {
    metric: "m",
    unit: "count",
    from: 0,
    to: 1,
    verdict: "flat",
    text: "",
    slopePerHour: 0,
    ci95: [-1, 1],
    pValue: 0.5,
    n: 100,
    method: "",
    phi: 0,
    boots: [],
    exhaustion: null,
    ...rest,
  };
}
const exits = {
  path: "/run/crio/exits",
  files: 12_000,
  atLeast: false,
  growth: trend({ verdict: "leaking", slopePerHour: 240, ci95: [230, 250] }),
};
const run = {
  mount: "/run",
  sizeKib: 1024 * 1024,
  usedKib: 512 * 1024,
  inodes: null,
  inodesUsed: 9000,
  usedGrowth: trend({ unit: "KiB", slopePerHour: 2048, ci95: [1024, 3072] }),
  inodeGrowth: trend(),
};
const growth = (rest: Partial<DirectoryGrowth> = {}): DirectoryGrowth => ({
  nodeId: 1,
  from: 0,
  to: 1,
  watch: [exits],
  tmpfs: [run],
  tmpfsTotal: 1,
  ...rest,
});
const ending = {
  ...run,
  inodes: 20_000,
  inodeGrowth: trend({
    verdict: "leaking",
    slopePerHour: 1000,
    ci95: [900, 1100],
    exhaustion: { what: "inodes of /run", at: nowMs + 11 * HOUR, ci95: [nowMs + 10 * HOUR, null] },
  }),
};

describe("the finding", () => {
  it("is what runs out first, else the directory that surely gains most", () => {
    expect(directoryFinding(growth({ tmpfs: [ending] }), nowMs)).toBe(
      "Inodes of /run run out in 11 h (10 h to open) if growth goes on.",
    );
    expect(directoryFinding(growth(), nowMs)).toBe(
      "/run/crio/exits gains 240 files an hour (95 %: 230–250).",
    );
  });

  it("tells nothing there from nothing fills", () => {
    expect(directoryFinding(growth({ watch: [], tmpfs: [] }), nowMs)).toMatch(/^Neither/);
    expect(directoryFinding(growth({ watch: [{ ...exits, growth: trend() }] }), nowMs)).toMatch(
      /^No watched/,
    );
  });
});

describe("the tables", () => {
  it("say of a mount without a limit that it has none, never 0 %", () => {
    expect(mountRows(growth(), nowMs)[0]).toMatchObject({
      used: "512\u00a0MiB",
      ofSize: "50.0\u202f%",
      ofInodes: "no limit",
      left: "–",
      usedGrowth: { value: "2.0", interval: "1.0–3.0" },
    });
    expect(mountRows(growth({ tmpfs: [ending] }), nowMs)[0]).toMatchObject({
      ofInodes: "45.0\u202f%",
      left: "11 h (10 h to open)",
    });
  });

  it("say that a directory was not read, or was not counted to its end", () => {
    const rows = directoryRows(
      growth({
        watch: [
          { ...exits, files: null },
          { ...exits, atLeast: true },
        ],
      }),
    );
    expect(rows.map(({ files }) => files)).toEqual(["not read", "at least 12,000"]);
  });

  it("keep absent limits empty in CSV", () => {
    expect(directoryCsv(growth()).rows.map((row) => row.slice(0, 4))).toEqual([
      ["files", "/run/crio/exits", 12_000, null],
      ["used (KiB)", "/run", 524_288, 1_048_576],
      ["inodes", "/run", 9000, null],
    ]);
  });
});

it("begins with what grows where inodes last for months", () => {
  const late = { what: "inodes of /run", at: nowMs + 235 * 24 * HOUR, ci95: [nowMs + 230 * 24 * HOUR, null] };
  const mount = {
    ...ending,
    inodeGrowth: { ...ending.inodeGrowth, exhaustion: late as Trend["exhaustion"] },
  };
  expect(directoryFinding(growth({ tmpfs: [mount] }), nowMs)).toBe(
    "/run/crio/exits gains 240 files an hour (95 %: 230\u2013250); inodes of /run run out in 235 d (230 d to open) if growth goes on.",
  );
  expect(directoryFinding(growth({ watch: [], tmpfs: [mount] }), nowMs)).toMatch(
    /^Inodes of \/run run out in 235 d/,
  );
});

it("charts mounts that hold something, and does not say that nothing fills where that cannot be told", () => {
  const bare = { ...run, mount: "/sys/fs/cgroup", usedKib: 0, inodesUsed: 1 };
  expect(chartedPlaces(growth({ tmpfs: [bare, run] })).mounts.map(({ mount }) => mount)).toEqual(["/run"]);
  expect(chartedPlaces(growth({ tmpfs: [bare] })).mounts).toHaveLength(1);
  const untold = trend({ verdict: "insufficient", slopePerHour: null, ci95: null });
  const young = {
    watch: [{ ...exits, growth: untold }],
    tmpfs: [{ ...run, usedGrowth: untold, inodeGrowth: untold }],
  };
  expect(directoryFinding(growth(young), nowMs)).toMatch(/^Too few samples/);
});
