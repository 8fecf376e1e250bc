import { deliver, nodeIdOf } from "../product.ts";
import { NodePage } from "../pages/node-page.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { simulateNode } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

const HOUR_MS = 3_600_000;

test("what the log said is marked by itself, and growth is held against one creator", async ({
  page,
  product,
}) => {
  const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
  const name = "who-creates";
  const snapshots = simulateNode({
    name,
    seed: 41,
    totalKib: 64 * 1024 * 1024,
    cpus: 16,
    kernelRelease: "5.14.0-427.el9.x86_64",
    fromMs: nowMs - 8 * HOUR_MS,
    toMs: nowMs,
    everyMs: 60_000,
    containersPerHour: 3000,
    kibPerContainer: 75,
    stopAtMs: nowMs - 3 * HOUR_MS,
  });
  const line =
    "Memory cgroup out of memory: Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB";
  const told = {
    at: nowMs - 2 * HOUR_MS,
    kind: "oom-kill",
    key: "kmsg:b:353",
    text: `${line}\n\nThe limit of one memory cgroup was met. That is no shortage of the node.`,
  };
  const title = "Out of memory at the limit of a container: the kernel ended java";
  const [first, second] = snapshots.slice(-2);
  if (!first || !second) throw new Error("no snapshots");
  first.events = [{ ...told, title }];
  // The same event again: one mark with a count, whichever came first.
  second.events = [{ ...told, title: `${title}, 40 times`, until: told.at + 50_000, count: 40 }];
  await deliver(product.url, product.token, snapshots);
  const node = new NodePage(page);
  await node.open(await nodeIdOf(product.url, name), "?from=now-8h&to=now");

  const mark = node.effectOf("the kernel ended java");
  await expect(mark).toHaveCount(1);
  await expect(mark).toContainText(`${title}, 40 times`);

  const creators = page.getByRole("region", { name: "Who creates containers" });
  await expect(creators.getByRole("rowheader").first()).toHaveText("ci/pull-monitor-*");
  await expect(creators.getByRole("row").nth(1)).toContainText("80 %");
  await expect(creators).toContainText(/of at least .* cgroups .* were seen \(90 %\)/);
  await expect(node.containers).toContainText("per container");
  await expect(node.containers).not.toContainText("Counting only");

  await creators.getByRole("button", { name: "growth against containers of ci/pull-monitor-*" }).click();
  await expect(page).toHaveURL(/driver=containers\.created\.ci/);
  await expect(node.containers).toContainText("Counting only containers created by ci/pull-monitor-*.");
  await expect(creators).toContainText("Growth above is held against containers of ci/pull-monitor-* alone.");
  await page.reload();
  await expect(node.containers).toContainText("Counting only containers created by ci/pull-monitor-*.");

  await expectWithinReach(page);
  await creators.getByRole("button", { name: "Take all containers" }).click();
  await expect(page).not.toHaveURL(/driver=/);
  await expect(node.containers).not.toContainText("Counting only");
});
