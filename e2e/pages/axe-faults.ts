import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A fault of access: which rule of axe, and the selectors of what breaks it. */
interface AxeFault {
  rule: string;
  at: string[];
}

/**
 * What axe finds against WCAG 2.2 AA and its own best practices on the page as it stands. Its result is read in the page
 * itself: no page has a frame, for which alone axe would open a second page each time.
 */
export async function axeFaults(page: Page): Promise<AxeFault[]> {
  return run(page, { type: "tag", values: TAGS });
}

/** Of the same only what a change of colours can bring about. */
export async function contrastFaults(page: Page): Promise<AxeFault[]> {
  return run(page, { type: "rule", values: ["color-contrast"] });
}

async function run(page: Page, runOnly: { type: "tag" | "rule"; values: string[] }): Promise<AxeFault[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ runOnly, resultTypes: ["violations"] })
    .analyze();
  return violations.map((each) => ({ rule: each.id, at: each.nodes.map((node) => node.target.join(" ")) }));
}
