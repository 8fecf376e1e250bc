import { afterAll, beforeAll, expect, it } from "vitest";
import { directoryGrowth } from "#lib/contracts/directory.ts";
import { createRng } from "#lib/domain/statistics/rng.ts";
import { createNodeHistory } from "../../../scripts/testing/node-history.ts";
import { getDirectoryGrowth } from "./get-directory-growth.ts";

const minuteMs = 60_000;
const nowMs = Date.parse("2026-03-01T12:00:00Z");
const fromMs = nowMs - 30 * 60 * minuteMs;
/** Files that /run/crio/exits gains in an hour, each with an inode of /run. */
const PER_HOUR = 600;

let made: Awaited<ReturnType<typeof createNodeHistory>>;

beforeAll(async () => {
  const rng = createRng(3);
  made = await createNodeHistory({ fromMs, nowMs }, (atMs) => {
    const gained = Math.round(((atMs - fromMs) / (60 * minuteMs)) * PER_HOUR + 4 * rng.normal()) + 100;
    return {
      meminfo: { MemTotal: 64 * 1024 * 1024, MemFree: 32 * 1024 * 1024 },
      watch: [
        { path: "/run/libpod/exits", files: 3 },
        { path: "/run/crio/exits", files: gained },
      ],
      tmpfs: [
        { mount: "/dev/shm", usedKib: 4 },
        { mount: "/run", sizeKib: 1_000_000, usedKib: 4 * gained, inodes: 24_000, inodesUsed: gained + 900 },
      ],
      sources: { meminfo: { status: "ok" }, tmpfs: { status: "ok" } },
    };
  });
  expect(made.rejected).toEqual([]);
}, 60_000);
afterAll(() => made.database.drop());

it("finds the directory that fills and the mount whose inodes it uses up, and when", async () => {
  const answer = directoryGrowth.parse(
    await getDirectoryGrowth({ ctx: made.ctx, input: { nodeId: 1, fromMs, toMs: nowMs } }),
  );
  const [exits, still] = answer.watch;
  expect([exits?.path, still?.path]).toEqual(["/run/crio/exits", "/run/libpod/exits"]);
  expect(exits?.growth).toMatchObject({ unit: "count", verdict: "leaking" });
  expect(exits?.growth.ci95?.[0]).toBeLessThanOrEqual(PER_HOUR);
  expect(exits?.growth.ci95?.[1]).toBeGreaterThanOrEqual(PER_HOUR);
  expect(still?.growth.verdict).toBe("flat");

  const [run, shm] = answer.tmpfs;
  expect([run?.mount, shm?.mount]).toEqual(["/run", "/dev/shm"]);
  expect(shm).toMatchObject({ sizeKib: null, inodes: null, inodesUsed: null });
  const left = 24_000 - (run?.inodesUsed ?? 0);
  const end = run?.inodeGrowth.exhaustion;
  expect(end?.what).toBe("inodes of /run");
  expect(Math.abs((end?.at ?? 0) - nowMs - (left / PER_HOUR) * 3_600_000)).toBeLessThan(30 * minuteMs);
});

it("judges 30 hours of a quarter of a year by as many points as 30 hours", async () => {
  const input = { nodeId: 1, fromMs: nowMs - 90 * 24 * 60 * minuteMs, toMs: nowMs };
  const { watch } = await getDirectoryGrowth({ ctx: made.ctx, input });
  expect(watch[0]?.growth.verdict).toBe("leaking");
  expect(watch[0]?.growth.n).toBeGreaterThan(70);
});

it("is empty where nothing was sent", async () => {
  const answer = await getDirectoryGrowth({
    ctx: made.ctx,
    input: { nodeId: 1, fromMs: fromMs - 7_200_000, toMs: fromMs - 3_600_000 },
  });
  expect(answer).toMatchObject({ watch: [], tmpfs: [], tmpfsTotal: 0 });
});
