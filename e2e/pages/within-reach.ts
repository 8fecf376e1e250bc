import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { axeFaults, contrastFaults } from "./axe-faults.ts";

/** Expects nothing to scroll sideways but what has a place of its own. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/**
 * Expects a page to be without faults of access, and no wider than the screen: light and dark, wide and narrow. Dark
 * differs by its colours alone.
 */
export async function expectWithinReach(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const faults = colorScheme === "light" ? axeFaults : contrastFaults;
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await faults(page)).toEqual([]);
      await expectNoOverflow(page);
    }
  }
}
