import { NodePage } from "../pages/node-page.ts";
import { expect, test } from "../story.ts";

test("the moment at which growth stopped is found, and stands among the marks", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  const found = node.effects.getByRole("row").filter({ hasText: "slope changed" });
  await expect(found).toHaveCount(1);
  await expect(found).toContainText("95 %:");
  await expect(page.locator('[data-part="growth"]')).toBeAttached();
});

test("growth is shared out to bands and caches, and saved as CSV", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  await page.getByRole("button", { name: "Kernel change" }).click();
  await expect(page).toHaveURL(/view=kernel/);
  await expect(page.getByText(/^what the kernel cannot give back, change since /).first()).toBeVisible();
  const parts = page.getByRole("region", { name: "What the growth is made of" });
  await expect(parts).toContainText(/(69|70|71) % of the growth is percpu; slab (29|30|31) %, of it /);
  const bands = parts.getByRole("table", { name: "Bands of unreclaimable kernel memory" });
  await expect(bands.getByRole("row").filter({ hasText: "percpu" })).toContainText(/(69|70|71)(?:\.\d+)?\s%/);
  const caches = parts.getByRole("table", { name: "Caches within unreclaimable slab" });
  await expect(caches.getByRole("row").filter({ hasText: "mem_cgroup_per_node" })).toContainText(
    /3[345](?:\.\d+)?\s%/,
  );
  const csv = page.waitForEvent("download");
  await parts.getByRole("button", { name: "CSV" }).click();
  expect((await csv).suggestedFilename()).toBe("magnesia_growth.csv");
});

test("what grows is foreseen as a fan, and what does not grow says why it is not", async ({
  page,
  nodeId,
}) => {
  const node = new NodePage(page);
  const left = page.getByRole("region", { name: "Time left" });
  await node.open(await nodeId("zirconia"), "?from=now-12h&to=now");
  await expect(left).toContainText("At this rate memory runs out in");
  await expect(left.locator('[data-metric="total.kernelUnreclaimable"] [data-part="fan"]')).toBeVisible();
  await node.open(await nodeId("ceria"));
  await expect(left).toContainText("No forecast for memory: there is no significant growth in this window.");
  await expect(
    page.getByRole("region", { name: "What the growth is made of" }).getByText("did not grow significantly"),
  ).toBeVisible();
});
