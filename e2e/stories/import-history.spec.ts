import type { ServerResponse } from "node:http";
import { startFakePrometheus, tellSeries } from "../../scripts/testing/fake-prometheus.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const HOUR_MS = 3_600_000;

test("history comes in from a Prometheus: refused, resumed with a token, cancelled, and done", async ({
  page,
  complaints,
}) => {
  const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const fromMs = toMs - 30 * HOUR_MS;
  const told = { fromMs, toMs, everyMs: 60_000 };
  const prometheus = await startFakePrometheus([
    ...tellSeries({ ...told, instance: "himera:9100", growthBytes: 64 * 1024 }),
    ...tellSeries({ ...told, instance: "selinus:9100" }),
  ]);
  try {
    await page.goto("/add-nodes");
    await page.getByRole("button", { name: "Prometheus", exact: true }).click();
    await page.getByRole("link", { name: "import its history" }).click();
    await expect(page.getByRole("heading", { name: "Nothing has been imported yet" })).toBeVisible();
    await expect(page.getByText("Not in it: the per-CPU free lists")).toBeVisible();

    const address = page.getByLabel("address of the Prometheus");
    const begin = page.getByRole("button", { name: "Import", exact: true });
    await address.fill("prometheus");
    await page.getByLabel("only series that match").fill('job="node", region');
    await page.getByLabel("one sample each").fill("2s");
    await begin.click();
    await expect(page.getByText("expected an http or https address")).toBeVisible();
    await expect(page.getByText(/\u201cregion\u201d: expected one matcher/)).toBeVisible();
    await expect(page.getByText("expected at least 5 seconds")).toBeVisible();
    await expect(address).toHaveAttribute("aria-invalid", "true");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("422")]);
    await expectWithinReach(page);

    await page.getByLabel("from", { exact: true }).fill("30 hours ago");
    await expect(page.getByText(/UTC, 1 d 6 h ago/)).toBeVisible();
    await page.getByLabel("to", { exact: true }).fill("3 days ago");
    await expect(page.getByText("The end lies before the beginning.")).toBeVisible();
    await page.getByLabel("to", { exact: true }).fill("now");
    await address.fill(prometheus.url);
    await page.getByLabel("cluster of the nodes").fill("sicily");
    await page.getByLabel("only series that match").fill("");
    await page.getByLabel("one sample each").fill("");
    prometheus.instead.push((response) => {
      response.writeHead(401);
      response.end();
    });
    await begin.click();
    const row = page.getByRole("list", { name: "Imports" }).getByRole("listitem").first();
    await expect(row).toContainText("It needs a bearer token.");
    await expect(row).toContainText("failed");

    let held: ServerResponse | undefined;
    prometheus.instead.push((response) => (held = response));
    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByLabel(/^bearer token/).fill("wrong");
    await row.getByRole("button", { name: "Go on" }).click();
    await expect(row).toContainText("asking which nodes there are");
    await row.getByRole("button", { name: /^Cancel/ }).click();
    await expect(row).toContainText("cancelled");
    held?.writeHead(401);
    held?.end();

    await row.getByRole("button", { name: /^Resume/ }).click();
    await row.getByLabel(/^bearer token/).fill("right");
    await row.getByRole("button", { name: "Go on" }).click();
    await expect(row).toContainText("all of the window", { timeout: 30_000 });
    await expect(row).toContainText("2 nodes: 3,600 snapshots");
    expect(prometheus.asked.at(-1)?.authorization).toBe("Bearer right");
    await expectWithinReach(page);

    await row.getByRole("link", { name: "himera" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(/grew 3\.75\sMiB\/h/);
    await expect(page).toHaveURL(/from=\d+&to=\d+/);
  } finally {
    await prometheus.stop();
  }
});
