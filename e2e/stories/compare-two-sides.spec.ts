import { axeFaults as faults } from "../pages/axe-faults.ts";
import { expectNoOverflow } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const hours = { from: "now-16h", to: "now-11h", aFrom: "now-8h", aTo: "now-5h" };

test("a node's page leads to the same hours a day earlier, and says what is missing", async ({
  page,
  nodeId,
}) => {
  const id = await nodeId("magnesia");
  await page.goto(`/nodes/${id}?from=now-6h&to=now`);
  await page.getByRole("link", { name: "Compare", exact: true }).last().click();
  await expect(page).toHaveURL(new RegExp(`/compare\\?a=${id}&b=${id}&from=now-6h&to=now&a.from=now-6h-1d`));
  // The simulated history is a day long: there is nothing a day earlier.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Cannot compare: /);
  await expect(page.getByText("The sides have too little in common to measure")).toBeVisible();
  expect(await faults(page)).toEqual([]);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`two windows of a node: the leak and what came after it was stopped, ${colorScheme}`, async ({
    page,
    nodeId,
  }) => {
    await page.emulateMedia({ colorScheme });
    const id = await nodeId("magnesia");
    const query = `a=${id}&b=${id}&a.from=${hours.from}&a.to=${hours.to}&from=${hours.aFrom}&to=${hours.aTo}`;
    await page.goto(`/compare?${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^Side B grows (29|3[01])\d.* MiB\/h \(95 %: .+\) less than side A in unreclaimable kernel memory, most clearly in (?:percpu|unreclaimable slab): /,
    );
    const total = page.getByRole("row", { name: /unreclaimable kernel memory/ });
    await expect(total).toContainText(/−(29|3[01])\d/);
    expect(await faults(page)).toEqual([]);

    const cursor = page.getByRole("slider", { name: /Cursor on the clock/ });
    await cursor.focus();
    await page.keyboard.press("Home");
    await expect(cursor).toHaveAttribute("aria-valuetext", /^(0|\+\d+ min): A .+GiB, B .+GiB$/);

    await page.getByRole("button", { name: "Show percpu in the chart" }).click();
    await expect(page).toHaveURL(/band=band\.percpu/);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Both sides: percpu" })).toBeVisible();
    await page.getByRole("button", { name: "Table", exact: true }).click();
    await expect(page.getByRole("columnheader", { name: "A band.percpu (KiB)" })).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
    expect(await faults(page)).toEqual([]);
  });
}

test("sides are chosen by name, by cohort and by clock, and wrong ones are named", async ({
  page,
  nodeId,
}) => {
  await page.goto("/compare");
  await expect(page.getByText("Nothing is compared yet")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  const who = (side: string) => page.getByRole("combobox", { name: `Nodes or cohort of side ${side}` });
  await who("A").fill("nobody");
  await who("B").fill("zirconia");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByText("There is no node nobody.")).toBeVisible();

  await who("A").fill("ceria");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Side B grows \d+.* more than side A/);
  await expect(page).toHaveURL(
    new RegExp(`a=${await nodeId("ceria")}&b=${await nodeId("zirconia")}&from=now-6h`),
  );

  await page.getByRole("link", { name: "the boot before" }).click();
  await expect(page).toHaveURL(/align=boot/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/since boot|Cannot compare/i);

  await page.goto(`/compare?b=${await nodeId("ceria")}&a=${await nodeId("zirconia")}`);
  await who("A").fill("version.cri-o=1.15.2");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByText(/cri-o 1\.15\.2, \d of \d nodes/)).toBeVisible();

  await page.goto(`/compare?a=999999&b=${await nodeId("ceria")}`);
  await expect(page.getByRole("alert").filter({ hasText: "There is no node 999999." })).toBeVisible();
  expect(await faults(page)).toEqual([]);
});
