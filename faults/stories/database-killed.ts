import { setTimeout as delay } from "node:timers/promises";
import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { eventually } from "../api.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";
import { storedTimes } from "../../scripts/testing/stored.ts";

const KILLS = 4;
const NODES = 6;
const BATCH = 10;
const STEP_MS = 1000;

export const databaseKilled: Story = {
  name: "database-killed",
  about: "the database is killed while snapshots are pushed",
  async run({ stack, report }) {
    const token = stack.issueToken(["snapshots:write"]);
    const base = realSnapshot();
    const startMs = Math.floor(Date.now() / STEP_MS) * STEP_MS - 6 * 3_600_000;
    const acknowledged = new Map<string, number[]>();
    const statuses = new Map<string, number>();
    let going = true;

    const load = Array.from({ length: NODES }, async (_, index) => {
      const node = `killed-db-${index}`;
      const times: number[] = [];
      acknowledged.set(node, times);
      for (let batch = 0; going; batch += 1) {
        const snapshots = Array.from({ length: BATCH }, (_each, place) =>
          snapshotOf(base, {
            node,
            at: startMs + (batch * BATCH + place) * STEP_MS,
            bootId: `boot-${node}`,
            bootedAtMs: startMs - 3_600_000,
          }),
        );
        const answer = await push(stack.server, token, snapshots).catch(() => undefined);
        const status = String(answer?.status ?? "no answer");
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (answer?.status === 200) {
          const { accepted, duplicates } = receiptOf(answer);
          if (accepted + duplicates === BATCH) times.push(...snapshots.map(({ at }) => Number(at)));
        } else await delay(20);
      }
    });

    let recovered = 0;
    const tookMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await delay(3000);
      process.kill(stack.pidOf("database"), "SIGKILL");
      const sinceMs = Date.now();
      await delay(300);
      await stack.untilReady();
      tookMs.push(Date.now() - sinceMs);
      recovered += 1;
    }
    await delay(2000);
    going = false;
    await Promise.all(load);

    report.step(
      `${KILLS} kills; answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}`,
    );
    report.check(
      "the database starts again by itself",
      recovered === KILLS,
      `ready after ${tookMs.map((ms) => (ms / 1000).toFixed(1)).join(", ")} s`,
    );
    let promised = 0;
    let lost = 0;
    let repeated = 0;
    for (const [node, times] of acknowledged) {
      const stored = (await eventually(() => storedTimes(stack, node), 10_000)) ?? [];
      const kept = new Set(stored);
      promised += times.length;
      lost += times.filter((time) => !kept.has(time)).length;
      repeated += stored.length - kept.size;
    }
    report.check(
      "every acknowledged snapshot is there",
      promised > 0 && lost === 0,
      `${promised} acknowledged, ${lost} lost`,
    );
    report.check("none is stored twice", repeated === 0, `${repeated} repeated`);
    const bad = [...statuses.keys()].filter((status) => !["200", "503", "no answer"].includes(status));
    report.check("meanwhile the server answers 503 and nothing worse", bad.length === 0, bad.join(", "));
  },
};
