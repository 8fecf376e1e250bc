import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { freePort } from "../../scripts/testing/stack.ts";
import { call } from "../api.ts";
import { startCollector } from "../collectors.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Report, Story } from "../report.ts";
import { storedTimes } from "../../scripts/testing/stored.ts";

const DAY_MS = 86_400_000;
const AHEAD_MS = 10 * 60_000;

export const clocks: Story = {
  name: "clocks",
  about: "clocks run ahead, snapshots come late and out of order",
  async run({ stack, report }) {
    const token = stack.issueToken(["snapshots:write"]);
    const base = realSnapshot();
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const at = (node: string, offsetMs: number) =>
      snapshotOf(base, {
        node,
        at: nowMs + offsetMs,
        bootId: `boot-${node}`,
        bootedAtMs: nowMs - 30 * DAY_MS,
      });

    const single = await call(stack.server, "/api/v1/snapshots", {
      method: "POST",
      token,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(at("clock-ahead", AHEAD_MS)),
    });
    report.check(
      "a snapshot 10 min ahead is answered clock_ahead",
      single.status === 422 && single.text.includes('"clock_ahead"'),
      `${single.status}`,
    );
    const ahead = receiptOf(
      await push(stack.server, token, [at("clock-ahead", AHEAD_MS), at("clock-ahead", 0)]),
    );
    report.check(
      "and spoils nothing beside it",
      ahead.accepted === 1 && ahead.rejected[0]?.code === "clock_ahead" && ahead.rejected[0].index === 0,
    );

    const days = [13.9, 3, 1, 7, 0.5, 0.1, 2, 10];
    const late = receiptOf(
      await push(
        stack.server,
        token,
        days.map((each) => at("late", -each * DAY_MS)),
      ),
    );
    const stored = await storedTimes(stack, "late");
    report.check(
      "late snapshots in any order are stored back to the raw retention",
      late.accepted === days.length && stored.length === days.length,
      `${stored.length} of ${days.length}, up to 13.9 d late`,
    );
    const old = receiptOf(await push(stack.server, token, [at("late", -15 * DAY_MS)]));
    report.check("older ones are answered too_old", old.rejected[0]?.code === "too_old");
    const again = receiptOf(await push(stack.server, token, [at("late", -3 * DAY_MS)]));
    report.check("sent again they are duplicates", again.duplicates === 1 && again.accepted === 0);

    await heldBack(stack.server, token, report);
  },
};

/**
 * A collector whose clock is ahead, made without touching clocks: a proxy in between moves the times of its snapshots
 * ahead, and later stops doing so, as when the server's clock has come that far.
 */
async function heldBack(server: string, token: string, report: Report) {
  let aheadMs = AHEAD_MS;
  const held = new Set<number>();
  const taken = new Set<number>();
  const proxy = http.createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const text =
        request.headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString();
      const snapshots = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { at: number | string });
      const moved = snapshots.map((each) => ({ ...each, at: new Date(each.at).getTime() + aheadMs }));
      const answer = await push(server, token, moved);
      const receipt = receiptOf(answer);
      const refused = new Set(receipt.rejected.map(({ index }) => index));
      snapshots.forEach((each, index) => {
        (refused.has(index) ? held : taken).add(new Date(each.at).getTime());
      });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text);
    })().catch(() => response.destroy());
  });
  const port = await freePort();
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  const collector = startCollector({ server: `http://127.0.0.1:${port}` }, token, {
    node: "clock-ahead-collector",
    interval: "1s",
    push: "1s",
  });
  try {
    await delay(6000);
    report.check(
      "a collector's snapshots from ahead are refused",
      held.size > 0 && taken.size === 0,
      `${held.size}`,
    );
    aheadMs = 0;
    const sinceMs = Date.now();
    const waiting = () => [...held].filter((time) => !taken.has(time)).length;
    // The collector tries each batch that it holds again after a minute.
    while (waiting() > 0 && Date.now() - sinceMs < 150_000) await delay(500);
    report.check(
      "it keeps them and delivers them when their time has come",
      waiting() === 0,
      `${held.size} held, ${waiting()} still waiting after ${((Date.now() - sinceMs) / 1000).toFixed(0)} s`,
    );
  } finally {
    await collector.stop();
    proxy.closeAllConnections();
    proxy.close();
  }
}
