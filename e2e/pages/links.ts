import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";

/** The address of the link that was just made, which is shown once. */
export async function newAddress(page: Page): Promise<string> {
  const address = page.getByRole("textbox", { name: "Address of the link" });
  await expect(address).toHaveValue(/\/s\/[\w-]{32}$/);
  return address.inputValue();
}

/** Makes a link as the panel is set. */
export async function makeLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Make link" }).click();
  return newAddress(page);
}

/** A pinned view by its number. */
export function pinOf(page: Page, number: number): Locator {
  return page.getByRole("figure", { name: new RegExp(`^Pin ${number}:`) });
}

/** Drags over the middle of the chart of a pin. */
export async function zoomInto(page: Page, number: number): Promise<void> {
  const plot = await pinOf(page, number)
    .getByRole("slider", { name: /Time cursor/ })
    .boundingBox();
  if (!plot) throw new Error("The plot is not shown.");
  await page.mouse.move(plot.x + plot.width * 0.3, plot.y + 60);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.6, plot.y + 60, { steps: 4 });
  await page.mouse.up();
}
