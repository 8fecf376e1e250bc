import { axeFaults } from "../pages/axe-faults.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

test("from page to page of a node the window stays, and each begins with its finding", async ({
  page,
  nodeId,
}) => {
  const id = await nodeId("zirconia");
  await page.goto(`/nodes/${id}/slab?from=now-12h&to=now&timezone=utc&sort=size`);
  const pages = page.getByRole("navigation", { name: "Pages of this node" });
  await pages.getByRole("link", { name: "Memory cgroups" }).click();
  await expect(page).toHaveURL(new RegExp(`/nodes/${id}/cgroups\\?from=now-12h&to=now&timezone=utc$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    /^131 of 65,535 memory-cgroup ids are held \(0\.2\s%\): 131 live, [\d,]+ dying; dying ones have given theirs back\.$/,
  );
  await expect(page.getByRole("region", { name: "Time left" })).toBeVisible();
  await page.getByRole("button", { name: "dying as a table" }).click();
  await expect(page.getByRole("group", { name: "dying as a table" })).toContainText("dying");

  await pages.getByRole("link", { name: "Directories and tmpfs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    /^\/run\/crio\/exits gains [\d,.]+ files an hour \(95 %: [\d,.]+–[\d,.]+\)\.$/,
  );
  await expect(
    page.getByRole("group", { name: "Watched directories" }).getByRole("row", { name: /\/run\/crio\/exits/ }),
  ).toContainText(/growing|leaking/);
  await expect(page.getByText("The sh collector does not read them")).toBeVisible();

  await pages.getByRole("link", { name: "Kernel objects" }).click();
  await expect(page.getByRole("heading", { name: "Not reported in this window" })).toBeVisible();
  const cursorless = page.getByRole("slider", { name: /Time cursor/ });
  await expect(cursorless).toHaveCount(0);

  await pages.getByRole("link", { name: "Directories and tmpfs" }).click();
  const cursor = page.getByRole("slider", { name: /Time cursor/ });
  await cursor.focus();
  await page.keyboard.press("Home");
  await expect(cursor).toHaveAttribute("aria-valuetext", /files in \/run\/crio\/exits [\d,]+/);
  const box = await cursor.boundingBox();
  if (!box) throw new Error("no plot");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 20, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}/);
  await pages.getByRole("link", { name: "Slab caches" }).click();
  await expect(page).toHaveURL(/slab\?from=\d{13}&to=\d{13}/);
});

test("what a node is blind to is said with the remedy, for it and for the fleet", async ({
  page,
  nodeId,
}) => {
  const id = await nodeId("periclase");
  await page.goto(`/nodes/${id}/sources`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "The collector is blind to 1 of 2 sources: slabinfo.",
  );
  const row = page.getByRole("table", { name: "Sources" }).getByRole("row", { name: /^slabinfo/ });
  await expect(row).toContainText("denied");
  await expect(row).toContainText(/\d\d:\d\d UTC, /);
  await expect(row).toContainText("Run the collector as uid 0; no capability replaces that");
  await page.getByRole("link", { name: "Which nodes are blind to what" }).click();
  await expect(page).toHaveURL(/\/sources$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    /^\d+ of \d+ nodes (?:is|are) blind to something$/,
  );
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "athena/periclase" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/nodes/${id}/sources$`));
});

for (const path of ["cgroups", "directories", "objects", "sources"]) {
  test(`the page of ${path} is within reach, wide and narrow, light and dark`, async ({ page, nodeId }) => {
    await page.goto(`/nodes/${await nodeId("zirconia")}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectWithinReach(page);
  });
}
