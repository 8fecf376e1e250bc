import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";

/** Presses Tab until something is focused. @throws Error when it is not reached, or focus is held somewhere on the way. */
export async function tabTo(page: Page, target: Locator, most = 200): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached with ${most} presses of Tab.`);
}

/** Opens what is found by its name, with the keyboard alone. */
export async function goTo(page: Page, words: string, option: RegExp): Promise<void> {
  const box = page.getByRole("combobox", { name: "Search nodes, pages and investigations" });
  await page.keyboard.press("Control+k");
  await expect(box).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.getByRole("option", { name: option })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
}
