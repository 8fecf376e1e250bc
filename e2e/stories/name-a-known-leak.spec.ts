import { exitFileCluster } from "#lib/domain/scenarios/exit-file-cluster.ts";
import { machineHistory } from "#lib/domain/scenarios/machine.ts";
import { axeFaults } from "../pages/axe-faults.ts";
import { somebody } from "../pages/people.ts";
import { deliver, makeToken, nodeIdOf } from "../product.ts";
import { expect, test } from "../story.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CLUSTER = "known-leaks";

/** Two nodes of the first history under names of their own: one that leaks, one that does not. */
async function tell(url: string): Promise<void> {
  const token = await makeToken(url, CLUSTER);
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const { machines } = exitFileCluster(nowMs);
  const times = Array.from({ length: 3 * 144 + 1 }, (_, step) => nowMs - 3 * DAY_MS + 10 * MINUTE_MS * step);
  for (const [from, name = ""] of [
    ["w08", "exits-pile-up"],
    ["w11", "nothing-piles-up"],
  ]) {
    const machine = machines.find((each) => each.name === from);
    if (machine === undefined) throw new Error(`The history has no ${from ?? ""}.`);
    // One request a node: the worker never finds one with half of its history.
    await deliver(url, token, [...machineHistory({ ...machine, name, labels: {} }, times)]);
  }
}

test("a leak is named with its evidence, acknowledged, and found again from the fleet", async ({
  page,
  browser,
  product,
  worker,
}) => {
  await tell(product.url);
  const nodeId = await nodeIdOf(product.url, "exits-pile-up");
  await worker("find-findings");
  const heading = page.getByRole("heading", { level: 1 });
  await page.goto(`/nodes/${nodeId}/findings`);
  await expect(heading).toHaveText(
    /^(?:Suspected: )?Exit files of CRI-O or podman on tmpfs pin dead memory cgroups, and \d more to tell it from\.$/,
  );

  const found = page.getByRole("region", { name: "What was found" });
  const first = found.getByRole("listitem").filter({
    has: page.getByRole("heading", { name: /^Exit files of CRI-O/ }),
  });
  await expect(first).toContainText(/files in \/run\/crio\/exits rose from [\d,]+ to [\d,]+ in [\d.]+ d/);
  await expect(first).toContainText("ls /run/crio/exits | wc -l; crictl ps -a -q | wc -l");
  await expect(first.getByRole("button", { name: "Copy: the check of S01" })).toBeVisible();
  await expect(first.getByRole("link", { name: "cri-o/cri-o#2854" })).toHaveAttribute(
    "href",
    "https://github.com/cri-o/cri-o/issues/2854",
  );
  await found.getByRole("heading", { name: /^Dying memory cgroups pinned by page cache/ }).click();
  await expect(found.getByText("Speaks against it").first()).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  const viewer = await somebody(browser, product.url, "viewer");
  await viewer.page.goto(`/nodes/${nodeId}/findings`);
  await expect(viewer.page.getByText("Speaks for it").first()).toBeVisible();
  await expect(viewer.page.getByRole("main").getByRole("textbox")).toHaveCount(0);
  await expect(viewer.page.getByRole("button", { name: "Acknowledge" })).toHaveCount(0);
  await viewer.context.close();

  await first.getByRole("textbox").fill("pull-monitor is to be stopped tonight");
  await first.getByRole("button", { name: "Acknowledge" }).click();
  await expect(first).toContainText("acknowledged by local: pull-monitor is to be stopped tonight");
  await expect(first.getByRole("button", { name: "Add note" })).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Findings" }).click();
  await expect(heading).toContainText("known leak");
  const nodes = page.getByRole("table", { name: "Nodes with S01" });
  await expect(nodes.getByRole("row", { name: /exits-pile-up/ })).toContainText(
    /(?:firm|suspected).*acknowledged/s,
  );
  await expect(page.getByText("nothing-piles-up")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Pin/ })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel("State").selectOption("resolved");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(heading).toHaveText("No finding fits");

  await page.goto("/");
  await page
    .getByRole("link", { name: /^Found: Exit files of CRI-O/ })
    .first()
    .click();
  await expect(heading).toContainText("Exit files of CRI-O");
  await page.getByRole("link", { name: "Memory", exact: true }).click();
  await expect(page.getByRole("link", { name: /^Exit files of CRI-O/ }).first()).toBeVisible();

  await page.goto(`/nodes/${await nodeIdOf(product.url, "nothing-piles-up")}/findings`);
  await expect(heading).toHaveText("No known leak was found in the history of this node.");
});
