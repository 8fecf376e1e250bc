import { NodePage } from "../pages/node-page.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const HOUR_MS = 3_600_000;

test("an intervention is compared, followed by itself, and stands in the log", async ({
  page,
  history,
  complaints,
  worker,
}) => {
  const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
  const stopAtMs = nowMs - 7 * HOUR_MS;
  const clock = new Date(stopAtMs).toISOString().slice(11, 16);
  const simulated = {
    name: "experimented",
    seed: 31,
    totalKib: 64 * 1024 * 1024,
    cpus: 16,
    kernelRelease: "4.19.0-6-amd64",
    fromMs: nowMs - 15 * HOUR_MS,
    toMs: nowMs,
    everyMs: 60_000,
    containersPerHour: 4200,
    kibPerContainer: 75,
    stopAtMs,
  };
  await history({ ...simulated, name: "left-alone", seed: 32, containersPerHour: 40 });
  const node = new NodePage(page);
  await node.open(await history(simulated));

  await page.getByRole("button", { name: /^Mark(?! \d)/ }).click();
  await node.form.getByLabel("when").fill(`${clock} GMT`);
  await node.form.getByLabel("what").fill("image puller stopped");
  const compare = node.form.getByRole("group", { name: "Nodes to compare with" });
  await expect(compare.getByRole("button", { name: "others left alone" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await compare.getByRole("button", { name: "named" }).click();
  const names = node.form.getByLabel(/^Nodes to compare with: names of nodes/);
  await names.fill("experimented");
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();
  await expect(node.form).toContainText("this node is treated: it cannot be a control");
  expect(complaints.splice(0)).toEqual([expect.stringContaining("422")]);
  await names.fill("left-alone");
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();
  await expect(node.form).toBeHidden();
  const row = node.effectOf("image puller stopped");
  await expect(row).toContainText("stopped, memory not given back");
  await expect(row).toContainText(/against 1 node left alone/);
  await expect(row).toContainText("following");

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Experiments" }).click();
  const entry = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "image puller stopped" }) });
  await expect(entry).toContainText("intervention by local, on experimented, against left-alone");
  await worker("follow-experiments");
  await page.reload();
  await expect(entry.getByRole("link", { name: /^6 h/ })).toContainText("stopped");
  await expect(entry.getByRole("button", { name: /^24 h/ })).toContainText("due");
  await expect(entry).toContainText(/Unreclaimable kernel memory grew .* until image puller was stopped/);
  await entry.getByRole("link", { name: /^6 h/ }).focus();
  await expect(page.getByRole("tooltip")).toContainText(/before: .*points.*after: .*points/s);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tooltip")).toBeHidden();

  await expectWithinReach(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("combobox", { name: "Standing" }).selectOption("returned");
  await expect(page.getByRole("heading", { name: "No experiment fits" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByRole("searchbox").fill("PULLER");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/search=PULLER/);
  await entry.getByRole("link", { name: /^6 h/ }).click();
  await expect(page).toHaveURL(/\/nodes\/\d+\?from=\d+&to=\d+/);
  await expect(row.getByRole("list", { name: /Verdicts on image puller stopped/ })).toContainText("stopped");
});
