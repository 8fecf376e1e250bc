import { expect, test } from "../story.ts";

test("the worker judges the fleet and the leaking node comes first", async ({ page, worker }) => {
  const rows = page.getByRole("table", { name: "Nodes" }).getByRole("row");
  const ofNode = rows.filter({ has: page.getByRole("link") });
  await worker("refresh-new-nodes");
  await page.goto("/");
  await expect(ofNode.filter({ hasText: /^zirconia/ })).toContainText("leaking");
  // Other stories have leaking nodes of their own: whichever is the fastest, heading and first row name the same.
  await expect(async () => {
    const names = await ofNode.locator("a[data-row-link]").allTextContents();
    expect(names.indexOf("zirconia")).toBeLessThan(names.indexOf("ceria"));
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(
      new RegExp(`\\b${String(names[0])} (?:grows|leaks|runs out)|leaks?: ${String(names[0])}`),
    );
  }).toPass();
  await expect(page.getByRole("row", { name: /^ceria/ })).toContainText("flat");
});

test("any head sorts, the filter finds, keys move, and the address keeps it", async ({ page }) => {
  await page.goto("/");
  const names = page.getByRole("table", { name: "Nodes" }).locator("a[data-row-link]");
  await page.getByRole("button", { name: "node", exact: true }).click();
  await expect(page).toHaveURL(/sort=name&order=asc/);
  const sorted = await names.allTextContents();
  expect(sorted).toEqual(sorted.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })));
  await expect(page.getByRole("columnheader", { name: "node" })).toHaveAttribute("aria-sort", "ascending");

  await page.keyboard.press("/");
  await page.keyboard.type("4.19 iron-of-no-node");
  await expect(page.getByText(/^No node matches/)).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("1.16.7");
  await expect(names).toHaveText(["ceria"]);
  await page.reload();
  await expect(names).toHaveText(["ceria"]);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/nodes\/\d+/);
  await expect(page.getByRole("link", { name: "Nodes", exact: true })).toBeVisible();
});

test("what a collector cannot read is said and never zero", async ({ page, nodeId }) => {
  await page.goto("/");
  await expect(page.getByRole("row", { name: /^periclase/ })).toContainText("blind: slabinfo");
  await page.goto(`/nodes/${await nodeId("periclase")}`);
  await expect(page.getByText("No slab caches in this window: slabinfo is denied.")).toBeVisible();
});
