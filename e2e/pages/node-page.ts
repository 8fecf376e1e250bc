import type { Locator, Page } from "@playwright/test";

/** The page of a node, in the words of its reader. */
export class NodePage {
  readonly page: Page;
  readonly answer: Locator;
  readonly cursor: Locator;
  readonly readout: Locator;
  readonly effects: Locator;
  readonly containers: Locator;
  readonly form: Locator;

  constructor(page: Page) {
    this.page = page;
    this.answer = page.getByRole("heading", { level: 1 });
    this.cursor = page.getByRole("slider", { name: /Time cursor/ });
    this.readout = page.getByRole("table").filter({ hasText: "non-cache kernel" });
    this.effects = page.getByRole("region", { name: "What was tried, what happened" });
    this.containers = page.getByRole("region", { name: "What containers leave behind" });
    this.form = page.getByRole("dialog", { name: /mark/i });
  }

  /** Opens a node and waits until its charts are drawn and listening. */
  async open(nodeId: number, query = ""): Promise<void> {
    await this.page.goto(`/nodes/${nodeId}${query}`);
    await this.cursor.waitFor();
  }

  /** Place of the plot on the screen. */
  async plot(): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await this.cursor.boundingBox();
    if (!box) throw new Error("The plot is not shown.");
    return box;
  }

  /** The row of a mark in the table of effects; rows of change points name marks too. */
  effectOf(title: string): Locator {
    return this.effects.locator('tr[id^="mark-"]').filter({ hasText: title });
  }
}
