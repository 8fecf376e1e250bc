import { startStack } from "../../scripts/testing/stack.ts";
import { deliver, makeToken } from "../product.ts";
import { simulateNode } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

test("an empty fleet says how to begin, and of hundreds of nodes one is found", async ({ page }) => {
  const own = await startStack();
  try {
    await page.goto(own.server);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No node has reported yet");
    await expect(page.getByText(`run --server ${own.server} --token-file`)).toBeVisible();

    const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
    const token = await makeToken(own.server);
    const first = Array.from({ length: 250 }, (_, index) =>
      simulateNode({
        name: `node-${String(index).padStart(4, "0")}`,
        seed: index,
        totalKib: 64 * 1024 * 1024,
        cpus: 8,
        kernelRelease: index % 2 === 0 ? "4.19.0-6" : "5.10.0-8",
        fromMs: nowMs,
        toMs: nowMs,
        everyMs: 60_000,
        containersPerHour: 60,
        kibPerContainer: 0,
      }),
    ).flat();
    await deliver(own.server, token, first);

    await page.reload();
    await expect(page.getByText(/250 nodes, 1–100 shown/)).toBeVisible();
    await page.getByRole("button", { name: "Next 100" }).click();
    await expect(page.getByText(/101–200 shown/)).toBeVisible();
    await page.getByRole("searchbox", { name: "Filter nodes" }).fill("node-0177");
    await expect(page.getByRole("table", { name: "Nodes" }).locator("a[data-row-link]")).toHaveText([
      "node-0177",
    ]);
  } finally {
    // It asks its server for news as long as it stands.
    await page.close();
    await own.stop();
  }
});
