import { readFile } from "node:fs/promises";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

test("the caches that grow stand first, the chosen ones are charted, and the address keeps the choice", async ({
  page,
  nodeId,
}) => {
  const id = await nodeId("zirconia");
  await page.goto(`/nodes/${id}?from=now-12h&to=now`);
  await page.getByRole("link", { name: "Slab caches", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/nodes/${id}/slab\\?from=now-12h&to=now$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    /of 6 slab caches (leak|grow): mem_cgroup_per_node/,
  );
  await expect(page.getByText(/SUnreclaim grew .* MiB\/h/)).toBeVisible();

  const table = page.getByRole("table", { name: "Slab caches" });
  const first = table.getByRole("row").nth(1);
  await expect(first).toContainText("mem_cgroup_per_node");
  await expect(first).toContainText("growing");
  await expect(first).toContainText(/\d+\s%/);

  await page.getByRole("checkbox", { name: "Chart inode_cache" }).focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/cache=inode_cache/);
  await expect(page.getByText(/^inode_cache: inode_cache from|inode_cache, MiB/).first()).toBeAttached();

  await page.getByRole("button", { name: "size", exact: true }).click();
  await expect(page).toHaveURL(/sort=size/);
  await page.getByRole("searchbox", { name: "Filter caches" }).fill("kmalloc");
  await expect(table.getByRole("row")).toHaveCount(3);
  await page.reload();
  await expect(table.getByRole("row")).toHaveCount(3);
  await expect(page.getByRole("searchbox")).toHaveValue("kmalloc");

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("region", { name: "Caches sent" }).getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(await readFile(await saved.path(), "utf8")).toMatch(
    /^cache,counter,size \(KiB\),growth \(KiB\/h\).*\r\nkmalloc-4k,SUnreclaim,\d+,/,
  );

  const cursor = page.getByRole("slider", { name: /Time cursor/ });
  await cursor.focus();
  await page.keyboard.press("Home");
  await expect(cursor).toHaveAttribute("aria-valuetext", /SUnreclaim [\d.]+\sMiB/);
});

test("a node whose slabinfo is denied says so, and what reading it takes", async ({ page, nodeId }) => {
  await page.goto(`/nodes/${await nodeId("periclase")}/slab`);
  await expect(page.getByRole("heading", { level: 1, name: /No slab caches in this window/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "slabinfo is denied" })).toBeVisible();
  await expect(page.getByText(/needs uid 0/)).toBeVisible();
});

test("the page of slab caches is within reach, wide and narrow, light and dark", async ({ page, nodeId }) => {
  await page.goto(`/nodes/${await nodeId("zirconia")}/slab`);
  await page.getByRole("table", { name: "Slab caches" }).waitFor();
  await expectWithinReach(page);
});
