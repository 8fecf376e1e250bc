import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../api.ts";
import { gridFaults, startCollector } from "../collectors.ts";
import type { Story } from "../report.ts";
import { storedTimes } from "../../scripts/testing/stored.ts";

const COLLECTORS = [
  { node: "outage-1s", interval: "1s", intervalMs: 1000 },
  { node: "outage-5s", interval: "5s", intervalMs: 5000 },
];

export const outage: Story = {
  name: "outage",
  about: "the whole server is away under two collectors",
  async run({ stack, report, outageMs }) {
    const token = stack.issueToken(["snapshots:write"]);
    const collectors = COLLECTORS.map((each) => startCollector(stack, token, { ...each, push: "1s" }));
    try {
      await delay(12_000);
      const before = await Promise.all(COLLECTORS.map(({ node }) => storedTimes(stack, node)));
      report.step(
        `before the outage ${before.map((times) => times.length).join(" and ")} samples are stored`,
      );
      await stack.halt();
      const downMs = Date.now();
      report.step(`server and database are stopped for ${outageMs / 1000} s`);
      await delay(outageMs);
      await stack.start();
      const upMs = Date.now();
      report.step(`they answer again after ${((upMs - downMs) / 1000).toFixed(1)} s`);
      const caughtUp = await eventually(async () => {
        const stored = await Promise.all(COLLECTORS.map(({ node }) => storedTimes(stack, node)));
        return stored.every((times) => (times.at(-1) ?? 0) >= upMs);
      }, 330_000);
      report.check(
        "the collectors come back by themselves",
        caughtUp === true,
        `${((Date.now() - upMs) / 1000).toFixed(1)} s after the server (backing off up to 5 min)`,
      );
    } finally {
      for (const each of collectors) await each.kill("SIGTERM");
    }
    for (const { node, intervalMs } of COLLECTORS) {
      const times = await storedTimes(stack, node);
      const { missing, repeated } = gridFaults(times, intervalMs);
      report.check(
        `${node}: every interval has its sample`,
        times.length > outageMs / intervalMs && missing.length === 0,
        `${times.length} samples over ${(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000).toFixed(0)} s, ${missing.length} missing`,
      );
      report.check(`${node}: none is stored twice`, repeated === 0, `${repeated} repeated`);
    }
    for (const each of collectors) await each.stop();
  },
};
