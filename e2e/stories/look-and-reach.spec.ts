import { axeFaults as faults } from "../pages/axe-faults.ts";
import { NodePage } from "../pages/node-page.ts";
import { expectNoOverflow } from "../pages/within-reach.ts";
import { HOSTILE_NAME } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(`every page and dialog passes axe, ${colorScheme}`, async ({ page, nodeId }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await expect(page.getByRole("row", { name: /^magnesia/ })).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    expect(await faults(page)).toEqual([]);

    const node = new NodePage(page);
    await node.open(await nodeId("magnesia"));
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("a");
    await expect(node.form).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /Choose the window/ }).click();
    expect(await faults(page)).toEqual([]);
  });
}

test("pages that are not there say so and pass axe, and so does that of the API", async ({
  page,
  complaints,
}) => {
  await page.goto("/nodes/999999");
  await expect(page.getByRole("heading", { name: "There is nothing at this address" })).toBeVisible();
  expect(await faults(page)).toEqual([]);
  expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  // Here, where there is no history to wait for: the page that only lists the API.
  await page.goto("/docs/api");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Its sections are alike, and all of them take axe a minute.
  await page.locator("main > section").evaluateAll((sections) => {
    for (const section of sections.slice(4)) section.remove();
  });
  expect(await faults(page)).toEqual([]);
});

test("at 390 px nothing scrolls sideways and a node is a block", async ({ page, nodeId }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  const row = page.getByRole("row", { name: /^magnesia/ });
  await expect(row).toBeVisible();
  expect((await row.boundingBox())?.height).toBeGreaterThan(60);
  await expectNoOverflow(page);

  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  await expectNoOverflow(page);
  expect(await faults(page)).toEqual([]);
  // The slab caches are ranked by their change: that column is not scrolled away.
  const ranked = page
    .getByRole("group", { name: "Slab caches" })
    .getByRole("columnheader", { name: "change" });
  const rankedBox = await ranked.boundingBox();
  expect((rankedBox?.x ?? Infinity) + (rankedBox?.width ?? 0)).toBeLessThanOrEqual(390);
  const plot = await node.plot();
  await page.touchscreen.tap(plot.x + plot.width / 2, plot.y + 60).catch(() => node.cursor.click());
  await expect(node.readout).toContainText("at cursor");
});

test("the theme is kept and is there from the first byte", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  const response = await page.reload();
  expect(await response?.text()).toContain('<html lang="en" data-theme="dark"');
  expect(await ground()).toBe(dark);
  await page.getByRole("combobox", { name: "Theme" }).selectOption("light");
  expect(await ground()).not.toBe(dark);
});

test("names and texts from outside are shown and never run", async ({ page, product, nodeId }) => {
  const id = await nodeId(HOSTILE_NAME);
  const title = `"><script>document.title='run'</script>`;
  const marked = await fetch(`${product.url}/api/v1/annotations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      at: Date.now() - 1_800_000,
      kind: "note",
      title,
      text: "<b onmouseover=alert(1)>x</b> {{7*7}} \u202eabc",
      scope: { nodes: [id] },
    }),
  });
  expect(marked.status).toBe(201);

  await page.goto("/");
  await page.getByRole("link", { name: HOSTILE_NAME, exact: true }).click();
  const node = new NodePage(page);
  await node.cursor.waitFor();
  await expect(node.effectOf(title)).toBeVisible();
  await page.getByRole("button", { name: /^Mark 1/ }).focus();
  await expect(page.getByRole("tooltip")).toContainText("<b onmouseover=alert(1)>x</b> {{7*7}}");
  await expect(page).toHaveTitle(`${HOSTILE_NAME} · Plumbline`);
});

test("a long title without blanks and one with overrides keep the table in shape", async ({
  page,
  history,
}) => {
  const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
  const id = await history({
    name: "long-titles",
    seed: 31,
    totalKib: 16 * 1024 * 1024,
    cpus: 4,
    kernelRelease: "6.1.0-18-amd64",
    fromMs: nowMs - 3 * 3_600_000,
    toMs: nowMs,
    everyMs: 60_000,
    containersPerHour: 40,
    kibPerContainer: 0,
  });
  const node = new NodePage(page);
  await node.open(id);
  for (const title of ["W".repeat(180), "\u202egnp.exe and more"]) {
    await page
      .getByRole("button", { name: /^Mark a?$/ })
      .first()
      .click();
    await node.form.getByLabel("when").fill("1 h ago");
    await node.form.getByLabel("what").fill(title);
    await node.form.getByRole("button", { name: "Mark", exact: true }).click();
    await expect(node.form).toBeHidden();
  }
  await expect(node.effectOf("gnp.exe and more")).not.toContainText("\u202e");
  const table = node.effects.getByRole("table");
  const { width, room } = await table.evaluate((element) => ({
    width: element.scrollWidth,
    room: element.parentElement?.clientWidth ?? 0,
  }));
  expect(width).toBeLessThanOrEqual(room);
  const verdict = await node.effectOf("gnp.exe and more").getByRole("cell").last().boundingBox();
  expect(verdict?.width).toBeGreaterThan(120);
});

test("single keys can be turned off", async ({ page }) => {
  await page.goto("/");
  const single = page.getByRole("checkbox", { name: /Single keys/ });
  await page.keyboard.press("?");
  await single.uncheck();
  await page.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter nodes" })).not.toBeFocused();
});

test("nothing of the fleet is cut, whatever it is ranked by, and all of the navigation is reached", async ({
  page,
}) => {
  for (const path of ["/", "/?window=7d", "/?metric=cgroup.memory.dying", "/?metric=band.shmem&window=6h"]) {
    await page.goto(path);
    const table = page.getByRole("table", { name: "Nodes" });
    await expect(table).toBeVisible();
    const cut = await table.evaluate((each) => each.scrollWidth - (each.parentElement?.clientWidth ?? 0));
    expect(cut, path).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/", "/cohorts", "/experiments"]) {
    await page.goto(path);
    const main = page.getByRole("navigation", { name: "Main" });
    await main.locator("summary").click();
    for (const name of ["Fleet", "Cohorts", "Marks", "Experiments", "Compare", "Add nodes", "API"]) {
      const link = main.getByRole("link", { name });
      const box = await link.boundingBox();
      expect((box?.x ?? Infinity) + (box?.width ?? 0), `${name} on ${path}`).toBeLessThanOrEqual(390);
      await link.click({ trial: true });
    }
    await page.keyboard.press("Escape");
    await expect(main.getByRole("link", { name: "API" })).toBeHidden();
  }
});

test("an address that cannot be shown says so, and what is shown instead", async ({ page }) => {
  await page.goto("/?metric=nope&window=99");
  const alert = page.getByRole("alert").filter({ hasText: "cannot be shown" });
  await expect(alert).toContainText("metric=\u201cnope\u201d");
  await expect(alert).toContainText("window=\u201c99\u201d, expected 6h, 24h, 7d");
  await expect(alert).toContainText("Shown instead: kernel, unreclaimable over 24\u00a0h");
  await page.goto("/experiments?status=foo");
  await expect(alert).toContainText("status=\u201cfoo\u201d");
  await page.goto("/");
  await expect(page.getByRole("table", { name: "Nodes" })).toBeVisible();
  await expect(alert).toHaveCount(0);
});
