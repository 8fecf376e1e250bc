import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { correlation } from "#lib/contracts/correlation.ts";
import { creatorList } from "#lib/contracts/creators.ts";
import { metricSeries } from "#lib/contracts/series.ts";
import type { SnapshotInput } from "#lib/domain/snapshot/schema.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { ingestSnapshots } from "#lib/server/services/ingest-snapshots.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../../scripts/testing/test-database.ts";
import {
  answerOf,
  callRoute,
  problemOf,
  useRuntime,
} from "../../../../../../scripts/testing/route-client.ts";
import { GET as listNodes } from "../../route.ts";
import { nodeList } from "#lib/contracts/node.ts";
import { GET as getCorrelation } from "../correlation/route.ts";
import { GET as getSeries } from "../series/route.ts";
import { GET as listCreators } from "./route.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-03-01T12:00:00Z");
const START = NOW - 12 * HOUR;
const REBOOT = NOW - 4 * HOUR;
const LEFT_BEHIND_KIB = 90;
const TOTAL_KIB = 64 * 1024 * 1024;

let database: TestDatabase;
let nodeId = 0;
const local = { local: true };
const day = { from: "now-12h", to: "now" };

/** The job that leaves memory behind runs in bursts, the other all the time. */
const jobs = (minutes: number) => 10 * (30 * Math.floor(minutes / 90) + Math.min(30, minutes % 90));
const probes = (minutes: number) => 3 * minutes;

function sample(at: number, rng: ReturnType<typeof createRng>): SnapshotInput {
  const boot = at < REBOOT ? "one" : "two";
  const bootedMs = at < REBOOT ? START - HOUR : REBOOT;
  const minutes = Math.floor((at - Math.max(START, bootedMs)) / MINUTE);
  const job = jobs(minutes);
  const probe = probes(minutes);
  const leak = Math.round(500_000 + LEFT_BEHIND_KIB * job + rng.normal() * 300);
  return {
    schemaVersion: 1,
    node: "busy",
    at,
    bootId: boot,
    uptimeSeconds: (at - bootedMs) / 1000,
    kernelRelease: "5.14.0",
    cpus: 8,
    meminfo: {
      MemTotal: TOTAL_KIB,
      MemFree: TOTAL_KIB - 1_000_000 - leak,
      Buffers: 0,
      Cached: 100_000,
      AnonPages: 900_000,
      Shmem: 0,
      SReclaimable: 0,
      SUnreclaim: leak,
      KernelStack: 0,
      PageTables: 0,
    },
    containersStarted: job + probe,
    watch: [{ path: "/run/crio/exits", files: 40 + job }],
    containersLive: 20 + Math.round(5 * rng.uniform()),
    sources: { "cgroups-created": { status: "ok", detail: "all cgroups made in /sys/fs/cgroup" } },
    creators: {
      seen: job + probe,
      made: 2 * (job + probe),
      creators: [
        { name: "jobs/pull-monitor-*", created: job },
        { name: "default/web-*", created: probe },
        ...(minutes > 200 ? [{ name: "system.slice/docker-*.scope", created: 7 }] : []),
      ],
    },
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  useRuntime(database.db, () => NOW);
  const rng = createRng(11);
  const items: SnapshotInput[] = [];
  for (let at = START; at <= NOW; at += MINUTE) items.push(sample(at, rng));
  const ctx = { db: database.db, actor: { kind: "system", name: "test" } as const, now: () => NOW };
  for (let first = 0; first < items.length; first += 400) {
    const slice = items.slice(first, first + 400);
    expect((await ingestSnapshots({ ctx, input: { items: slice, cluster: "east" } })).rejected).toEqual([]);
  }
  const { nodes } = await answerOf(await callRoute(listNodes, { as: local }), nodeList);
  nodeId = nodes[0]?.nodeId ?? 0;
});
afterAll(async () => {
  setRuntime(undefined);
  await database.drop();
});

const call = (query: Record<string, string>) => ({ as: local, params: { nodeId }, query });

describe("who creates containers", () => {
  it("lists creators over both boots, with rate, share and what was not seen", async () => {
    const answer = await answerOf(await callRoute(listCreators, call(day)), creatorList);
    // The last sample of the first boot is a minute before the second begins; the newest lies on the end of the window.
    const first = 8 * 60 - 1;
    const second = 4 * 60 - 1;
    const job = jobs(first) + jobs(second);
    const probe = probes(first) + probes(second);
    expect(answer.creators.map(({ name, created }) => [name, created])).toEqual([
      ["jobs/pull-monitor-*", job],
      ["default/web-*", probe],
      ["system.slice/docker-*.scope", 14],
    ]);
    expect(answer.creators[0]).toMatchObject({ metric: "containers.created.jobs/pull-monitor-*" });
    expect(answer.creators[0]?.share).toBeCloseTo(job / (job + probe + 14), 6);
    expect(answer.creators[0]?.perHour).toBeCloseTo(job / ((first + second) / 60), 6);
    expect(answer).toMatchObject({
      seen: job + probe,
      made: 2 * (job + probe),
      more: 0,
      startedBy: "all cgroups made in /sys/fs/cgroup",
    });
    expect(answer.text).toContain("were seen (50 %)");
  });

  it("tells how many are not listed", async () => {
    const answer = await answerOf(await callRoute(listCreators, call({ ...day, limit: "1" })), creatorList);
    expect([answer.creators.length, answer.more]).toEqual([1, 2]);
  });

  it("says so where nobody counted", async () => {
    const answer = await answerOf(
      await callRoute(listCreators, call({ from: "now-30d", to: "now-20d" })),
      creatorList,
    );
    expect(answer).toMatchObject({ creators: [], seen: null, made: null, coveredMs: 0 });
    expect(answer.text).toContain("Nothing was sent");
  });

  it("gives each creator as a series", async () => {
    const metric = "containers.created.default/web-*";
    const { series } = await answerOf(
      await callRoute(getSeries, call({ ...day, metric, points: "12" })),
      metricSeries,
    );
    expect(series).toMatchObject([{ metric, kind: "counter", unit: "count" }]);
    expect(series[0]?.values.some((value) => value !== null && value > 0)).toBe(true);
  });

  it("holds growth against one creator alone", async () => {
    const ofJob = await answerOf(
      await callRoute(getCorrelation, call({ ...day, driver: "containers.created.jobs/pull-monitor-*" })),
      correlation,
    );
    expect(ofJob).toMatchObject({
      verdict: "leaves-behind",
      driver: "containers.created.jobs/pull-monitor-*",
    });
    expect(ofJob.text).toMatch(/^Counting only containers created by jobs\/pull-monitor-\*\. /);
    expect(ofJob.ci95?.[0]).toBeLessThan(LEFT_BEHIND_KIB);
    expect(ofJob.ci95?.[1]).toBeGreaterThan(LEFT_BEHIND_KIB);
    expect(ofJob.kibPerContainer).toBeGreaterThan(80);
    const ofProbes = await answerOf(
      await callRoute(getCorrelation, call({ ...day, driver: "containers.created.default/web-*" })),
      correlation,
    );
    expect(ofProbes.verdict).not.toBe("leaves-behind");
    const ofAll = await answerOf(await callRoute(getCorrelation, call(day)), correlation);
    expect(ofAll.driver).toBe("containers.started");
  });

  it("holds growth against the files of a directory", async () => {
    const driver = "watch./run/crio/exits.files";
    const ofFiles = await answerOf(await callRoute(getCorrelation, call({ ...day, driver })), correlation);
    expect(ofFiles).toMatchObject({ verdict: "leaves-behind", driver });
    expect(ofFiles.text).toMatch(/goes with the files in \/run\/crio\/exits: .* held for each file/);
    // Files are known at the end of each bucket, and a burst that ends inside of one blurs their mean.
    expect(Math.abs((ofFiles.kibPerContainer ?? 0) / LEFT_BEHIND_KIB - 1)).toBeLessThan(0.02);
    const unwatched = await answerOf(
      await callRoute(getCorrelation, call({ ...day, driver: "watch./run/other.files" })),
      correlation,
    );
    expect(unwatched).toMatchObject({ verdict: "insufficient", missing: ["watch./run/other.files"] });
    expect(unwatched.text).toBe(
      "Cannot say what unreclaimable kernel memory has to do with the files in /run/other: busy watched no such directory in this window.",
    );
    const uncreated = await answerOf(
      await callRoute(getCorrelation, call({ ...day, driver: "containers.created.nobody" })),
      correlation,
    );
    expect(uncreated.text).toContain("busy reported no such creator of containers in this window.");
  });

  it("does not take a window without samples for a node that counts no containers", async () => {
    const empty = await answerOf(
      await callRoute(getCorrelation, call({ from: "now-30d", to: "now-20d" })),
      correlation,
    );
    expect(empty).toMatchObject({
      verdict: "insufficient",
      missing: expect.arrayContaining([empty.metric]) as string[],
    });
    expect(empty.text).toContain("busy sent nothing in this window.");
  });

  it("refuses a driver that does not count containers", async () => {
    expect(
      await problemOf(await callRoute(getCorrelation, call({ ...day, driver: "meminfo.Slab" }))),
    ).toMatchObject({ code: "invalid", errors: [{ path: "driver" }] });
  });
});
