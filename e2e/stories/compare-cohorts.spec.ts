import { readFile } from "node:fs/promises";
import { axeFaults } from "../pages/axe-faults.ts";
import { expectNoOverflow } from "../pages/within-reach.ts";
import { deliver, makeToken } from "../product.ts";
import { simulateNode } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

/** A rollout half done, in a cluster of its own: the old runc leaks, the new one does not. */
async function rollOut(url: string): Promise<void> {
  const token = await makeToken(url, "rollout");
  const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
  for (let i = 0; i < 9; i++) {
    const old = i < 4;
    const snapshots = simulateNode({
      name: `rollout-${i}`,
      seed: 100 + i,
      totalKib: 188 * 1024 * 1024,
      cpus: 32,
      kernelRelease: "5.14.0-70.el9.x86_64",
      versions: { runc: old ? "1.0.0-rc8" : "1.0.0-rc10" },
      labels: { zone: i % 2 === 0 ? "north" : "south" },
      fromMs: nowMs - 24 * 3_600_000,
      toMs: nowMs,
      everyMs: 300_000,
      containersPerHour: 1200,
      kibPerContainer: old ? 60 : 0,
    });
    // One request a node: the worker never finds one with half of its history.
    await deliver(url, token, snapshots);
  }
}

test("which runtime leaks, which nodes still run it, and the address keeps it", async ({
  page,
  product,
  worker,
}) => {
  await rollOut(product.url);
  await worker("refresh-new-nodes");
  await page.goto("/cohorts?cluster=rollout");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "runc 1.0.0-rc8: 4 of 4 leak; other versions: 0 of 5.",
  );

  const attributes = page.getByRole("table", { name: "Attributes" });
  await expect(attributes.getByRole("row", { name: /^runc separates 1.00/ })).toBeVisible();
  await expect(attributes.getByRole("row", { name: /^label zone no difference/ })).toBeVisible();
  await expect(attributes.getByRole("row", { name: /^kernel cannot say/ })).toContainText(
    "every node that reports it has 5.14.0-70.el9.x86_64",
  );

  const values = page.getByRole("table", { name: "Nodes by runc" });
  const leaky = values.getByRole("row", { name: /^1\.0\.0-rc8/ });
  await expect(leaky).toContainText("4 of 4");
  await expect(leaky.locator("circle")).toHaveCount(4);
  await expect(values.getByRole("row", { name: /^1\.0\.0-rc10/ })).toContainText("0 of 5");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const table = await readFile(await (await downloading).path(), "utf8");
  expect(table.split("\r\n")[1]).toMatch(/^1\.0\.0-rc8,4,4,0,0,0,/);

  await attributes.getByRole("link", { name: "label zone" }).click();
  await expect(page).toHaveURL(/attribute=label\.zone/);
  await expect(page.getByRole("table", { name: "Nodes by label zone" })).toBeVisible();
  await page.reload();
  await expect(
    page.getByRole("table", { name: "Nodes by label zone" }).getByRole("link", { name: "north" }),
  ).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "7\u00a0d" }).click();
  await expect(page).toHaveURL(/window=7d/);
  await page.goBack();

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFaults(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 960 });

  await values.getByRole("link", { name: "1.0.0-rc8" }).click();
  await expect(page.getByText("Only nodes with runc 1.0.0-rc8")).toBeVisible();
  await expect(page.getByRole("table", { name: "Nodes" }).locator("a[data-row-link]")).toHaveCount(4);
  expect(await axeFaults(page)).toEqual([]);
});

test("an address that means nothing says what is wrong and where to go", async ({ page }) => {
  await page.goto("/cohorts?attribute=version.no-such-program");
  await expect(page.locator("main").getByRole("alert")).toContainText("no node reports no-such-program");
  expect(await axeFaults(page)).toEqual([]);
  await page.goto("/cohorts?window=5m");
  await expect(page.locator("main").getByRole("alert")).toContainText("window");
  await page.getByRole("link", { name: "Compare by what separates best" }).click();
  await expect(page).toHaveURL(/\/cohorts$/);
  await page.goto("/?attribute=version.runc&value=0.0.1");
  await expect(page.getByRole("heading", { name: "No node has runc 0.0.1" })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "All nodes" }).click();
  await expect(page.getByRole("link", { name: "magnesia" })).toBeVisible();
  await page
    .getByRole("link", { name: "What leaking nodes have in common" })
    .or(page.getByRole("link", { name: "Cohorts" }))
    .first()
    .click();
  await expect(page).toHaveURL(/\/cohorts/);
});
