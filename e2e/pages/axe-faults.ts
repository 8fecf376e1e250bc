import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What axe finds against WCAG 2.2 AA and its own best practices on the page as it stands. */
export async function axeFaults(page: Page): Promise<{ rule: string; at: string[] }[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  return violations.map((each) => ({ rule: each.id, at: each.nodes.map((node) => node.target.join(" ")) }));
}
