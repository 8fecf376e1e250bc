import { setTimeout as delay } from "node:timers/promises";
import type { Part } from "../../scripts/testing/stack.ts";
import { call, eventually } from "../api.ts";
import { gridFaults, startCollector } from "../collectors.ts";
import type { Story, World } from "../report.ts";
import { query, storedTimes } from "../../scripts/testing/stored.ts";

const NODE = "killed-parts";

async function killAndAwait(
  { stack, report }: World,
  part: Part,
  isBack: () => Promise<boolean>,
): Promise<void> {
  const pid = stack.pidOf(part);
  process.kill(pid, "SIGKILL");
  const sinceMs = Date.now();
  const back = await eventually(async () => stack.pidOf(part) !== pid && (await isBack()), 60_000);
  report.check(`${part} is started again`, back === true, `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`);
}

export const partsKilled: Story = {
  name: "parts-killed",
  about: "web, worker, collector and supervisor are killed",
  async run(world) {
    const { stack, report } = world;
    const token = stack.issueToken(["snapshots:write"]);
    const collector = startCollector(stack, token, { node: NODE, interval: "1s", push: "1s" });
    try {
      await delay(4000);
      await killAndAwait(world, "web", async () => (await call(stack.server, "/readyz")).status === 200);
      await killAndAwait(world, "worker", async () => true);

      await collector.kill("SIGKILL");
      const killedMs = Date.now();
      await delay(1500);
      collector.startAgain();
      const on = await eventually(
        async () => ((await storedTimes(stack, NODE)).at(-1) ?? 0) > killedMs + 1500,
        90_000,
      );
      report.check("a killed collector goes on over its spool", on === true);

      const left = [stack.pidOf("web"), stack.pidOf("worker"), stack.pidOf("database")];
      process.kill(stack.pidOf("supervisor"), "SIGKILL");
      const gone = await eventually(async () => left.slice(0, 2).every((pid) => !isAlive(pid)), 30_000);
      report.check("its parts end when the supervisor is killed", gone === true);
      await stack.start();
      const sinceMs = Date.now();
      report.check("a new supervisor starts over what was left", stack.pidOf("web") !== left[0]);
      const delivered = await eventually(
        async () => ((await storedTimes(stack, NODE)).at(-1) ?? 0) >= sinceMs,
        90_000,
      );
      report.check("snapshots arrive again", delivered === true);
    } finally {
      await collector.kill("SIGTERM");
    }
    const times = await storedTimes(stack, NODE);
    const { missing, repeated } = gridFaults(times, 1000);
    // One second and a half without a collector, and its start.
    report.check(
      "nothing is missing but what the killed collector could not take",
      missing.length <= 3 && repeated === 0,
      `${times.length} samples, ${missing.length} missing, ${repeated} repeated`,
    );
    let waiting: number | undefined;
    // A bucket is overdue two minutes after its end; the worker looks each minute.
    await eventually(async () => {
      const [dirty] = await query<{ waiting: number }>(
        stack,
        `select count(*)::int as waiting from "DirtyBucket"
         where "at" + make_interval(secs => "seconds") < now() - interval '2 minutes'`,
      );
      waiting = dirty?.waiting;
      return waiting === 0;
    }, 130_000);
    report.check("no roll-up is left behind", waiting === 0, `${waiting} buckets waiting`);
    await collector.stop();
  },
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
