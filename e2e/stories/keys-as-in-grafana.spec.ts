import { NodePage } from "../pages/node-page.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

test("the range is fixed, copied, pasted and taken back by Grafana's keys", async ({
  page,
  context,
  nodeId,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const node = new NodePage(page);
  const id = await nodeId("magnesia");
  const zirconia = await nodeId("zirconia");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await node.open(id, "?from=now-6h&to=now");

  await page.keyboard.press("t");
  await page.keyboard.press("c");
  await expect(page.getByRole("status").filter({ hasText: "The range is copied." })).toBeVisible();
  expect(await copied()).toBe('{"from":"now-6h","to":"now"}');

  await page.keyboard.press("t");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}$/);
  const fixed = new URL(page.url()).searchParams;
  expect(Number(fixed.get("to")) - Number(fixed.get("from"))).toBe(6 * 3_600_000);
  // `t` begins a row here: it does not open the table as well.
  await expect(page.getByRole("group", { name: "composition as a table" })).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(/from=now-6h&to=now$/);

  await page.evaluate(() =>
    navigator.clipboard.writeText("https://grafana.example/d/a/nodes?from=now-3h&to=now-1h"),
  );
  await page.goto(`/nodes/${zirconia}/slab`);
  await expect(node.cursor).toBeVisible();
  await page.keyboard.press("t");
  await page.keyboard.press("v");
  await expect(page).toHaveURL(/from=now-3h&to=now-1h$/);
  await page.evaluate(() => navigator.clipboard.writeText("no range at all"));
  await page.keyboard.press("t");
  await page.keyboard.press("v");
  await expect(page.getByRole("status").filter({ hasText: "holds no range" })).toBeVisible();
  await expect(page).toHaveURL(/from=now-3h&to=now-1h$/);

  // Where no range led here, Ctrl+Z zooms out as Grafana's does.
  const toMs = Date.now() - 7_200_000;
  await node.open(id, `?from=${toMs - 3_600_000}&to=${toMs}`);
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(new RegExp(`from=${toMs - 5_400_000}&to=${toMs + 1_800_000}$`));

  // Both windows of a comparison change together, and the kept windows of cohorts are those of the keys.
  await page.goto(`/compare?a=${id}&b=${zirconia}&from=now-6h&to=now`);
  await expect(page.getByRole("slider", { name: /Cursor on the clock/ })).toBeVisible();
  await page.keyboard.press("t");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}$/);
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(/from=now-6h&to=now$/);
  await page.goto("/cohorts");
  await page.keyboard.press("-");
  await expect(page).toHaveURL(/window=7d/);
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(/\/cohorts$/);

  await node.open(id, `?from=${toMs - 5_400_000}&to=${toMs + 1_800_000}`);
  await page.getByRole("button", { name: /Choose the window/ }).click();
  const isFixed = page.getByRole("checkbox", { name: /^Fixed/ });
  await expect(isFixed).toBeChecked();
  await isFixed.click();
  await expect(page).toHaveURL(/from=now-120m&to=now$/);
});

test("one part of a page is shown alone, also by its address", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  const id = await nodeId("magnesia");
  await node.open(id);
  const composition = page.getByRole("region", { name: "Memory composition" });
  await expect(node.effects).toBeVisible();
  await page.keyboard.press("v");
  await expect(page).toHaveURL(/viewPanel=composition$/);
  await expect(node.effects).toBeHidden();
  await expect(composition).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(node.effects).toBeVisible();

  await node.effects.hover();
  await page.keyboard.press("v");
  await expect(page).toHaveURL(/viewPanel=effects$/);
  await expect(composition).toBeHidden();
  await page.reload();
  await expect(node.effects).toBeVisible();
  await expect(composition).toBeHidden();
  await expectWithinReach(page);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(composition).toBeVisible();

  // What is no part of the page hides nothing.
  await node.open(id, "?viewPanel=nothing-of-ours");
  await expect(node.effects).toBeVisible();
  await expect(page.getByRole("button", { name: "Show all" })).toBeHidden();
});

test("nodes, pages and investigations are found by their names", async ({ page, nodeId }) => {
  const id = await nodeId("zirconia");
  await page.request.post("/api/v1/investigations", { data: { title: "Why zirconia grows" } });
  await page.goto("/");
  const box = page.getByRole("combobox", { name: "Search nodes, pages and investigations" });
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
  await expect(page.getByRole("option", { name: /^Cohorts/ })).toBeVisible();
  await box.fill("ZIRC");
  await expect(page.getByRole("option", { name: "Why zirconia grows investigation" })).toBeVisible();
  await expect(page.getByRole("option", { name: "zirconia node" })).toHaveAttribute("aria-selected", "true");
  await expectWithinReach(page);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("option", { name: "Why zirconia grows investigation" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/nodes/${id}$`));

  await page.keyboard.press("Control+k");
  await box.fill("there is nothing like this");
  await expect(page.getByText("Nothing is called so.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
});

test("an address carried over from Grafana leads to its node", async ({ page, nodeId }) => {
  const id = await nodeId("magnesia");
  await page.goto("/?orgId=1&from=now-3h&to=now&timezone=browser&var-node=magnesia&refresh=30s");
  await expect(page).toHaveURL(new RegExp(`/nodes/${id}\\?from=now-3h&to=now&timezone=browser$`));
  await page.goto("/?var-node=nobody-of-ours");
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "var-node=\u201cnobody-of-ours\u201d, expected the name of a node",
  );
  await expect(page.getByRole("link", { name: "magnesia" })).toBeVisible();
});
