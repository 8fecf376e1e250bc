import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { axeFaults } from "../pages/axe-faults.ts";
import { HOSTILE, investigateLeak } from "../pages/leak-investigation.ts";
import { expectNoOverflow, expectWithinReach } from "../pages/within-reach.ts";
import { leakThatStops } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

/** Takes a form of the investigation along; where it lies, under its own name, so that it opens as what it is. */
async function take(page: Page, form: string, folder: (name: string) => string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("region", { name: "Export" }).getByRole("link", { name: form, exact: true }).click();
  const file = await downloading;
  const path = folder(file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

test("an investigation is taken along as files, and read without the server", async ({
  page,
  browser,
  history,
  complaints,
}, info) => {
  test.setTimeout(300_000);
  const leak = leakThatStops("taken-node", 84);
  const nodeId = await history(leak.node);
  await investigateLeak(page, leak, {
    nodeId,
    title: `Who eats the memory? ${HOSTILE}`,
    text: `## What we saw\n\n[[pin:1]]\n\n${"long".repeat(200)}`,
  });
  const folder = (name: string) => info.outputPath(name);

  let [markdown, path, json, hash] = ["", "", "", ""];
  // The worker may write of the node between two of them: then all three are taken again.
  await expect(async () => {
    markdown = readFileSync(await take(page, "Markdown", folder), "utf8");
    path = await take(page, "HTML", folder);
    json = await take(page, "JSON", folder);
    hash = /SHA-256 of the content: `([0-9a-f]{64})`/.exec(markdown)?.[1] ?? "none";
    expect(readFileSync(path, "utf8")).toContain(hash);
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ contentHash: hash });
  }).toPass();
  expect(markdown).toMatch(
    /\*\*stopped.*\*\* .*MiB\/h.*; UTC; \[view\]\(<http:\/\/[^>]+\/nodes\/\d+\?[^>]*from=/,
  );
  expect(markdown).toContain("\\<script\\>");

  const alone = await browser.newContext({ offline: true, viewport: { width: 1440, height: 960 } });
  const reader = await alone.newPage();
  reader.on("console", (message) => complaints.push(message.text()));
  const asked: string[] = [];
  reader.on("request", (request) => asked.push(request.url()));
  const address = pathToFileURL(path).href;
  await reader.goto(address);
  await expect(reader.getByRole("heading", { level: 1 })).toContainText("Who eats the memory? <script>");
  await expect(reader).toHaveTitle(/^Who eats the memory/);
  const pin = (number: number) => reader.locator(`#pin-${number}`);
  const chart = pin(1).getByRole("img", { name: /MiB\/h/ });
  await expect(chart).toBeVisible();
  await expect(chart.locator("text").filter({ hasText: /^GiB; change since/ })).toBeVisible();
  expect(await chart.locator("path.band").count()).toBeGreaterThan(1);
  await expect(pin(1).getByRole("list", { name: "Marks of the chart" })).toContainText("puller stopped");
  await expect(pin(2)).toContainText("stopped");
  await expect(pin(3).getByRole("img")).toBeVisible();
  expect(await pin(3).locator("circle.dot").count()).toBeGreaterThan(5);
  await pin(1).locator("summary").click();
  await expect(pin(1).getByRole("group", { name: "All numbers of pin 1" })).toContainText(
    "unaccounted (KiB)",
  );
  await pin(1).locator("summary").click();
  await expect(reader.getByRole("contentinfo")).toContainText(hash);
  expect(asked).toEqual([address]);
  expect(await axeFaults(reader)).toEqual([]);
  await reader.emulateMedia({ colorScheme: "dark" });
  await reader.setViewportSize({ width: 390, height: 844 });
  expect(await axeFaults(reader)).toEqual([]);
  await expectNoOverflow(reader);
  await alone.close();

  await page.goto("/investigations");
  const broken = folder("broken.json");
  writeFileSync(broken, readFileSync(json, "utf8").replace("puller stopped", "puller started"));
  await page.getByLabel("Import a JSON export").setInputFiles(broken);
  await expect(page.getByRole("alert").filter({ hasText: "was changed after it was written" })).toBeVisible();
  await expectWithinReach(page);
  await page.getByLabel("Import a JSON export").setInputFiles(json);
  await expect(page.getByText(/^Imported .* by .* from http:\/\/.*of nodes taken-node/)).toBeVisible();
  await expect(page.getByText(hash, { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Who eats the memory? <script>");
  const shown = (number: number) => page.getByRole("figure", { name: new RegExp(`^Pin ${number}:`) });
  await expect(shown(1).getByRole("slider", { name: /Time cursor/ })).toBeVisible();
  await expect(shown(2)).toContainText("puller stopped");
  await expect(page.getByRole("region", { name: "Conclusion" })).toContainText(/MiB\/h \(/);
  await expect(page.locator('main a[href^="/nodes"]')).toHaveCount(0);
  await expectWithinReach(page);
  const again = JSON.parse(readFileSync(await take(page, "JSON", folder), "utf8")) as { contentHash: string };
  expect(again.contentHash).toBe(hash);
  await page.goto("/investigations");
  await expect(
    page.getByRole("listitem").filter({ hasText: "imported, with the data" }).first(),
  ).toBeVisible();
  // The browser says of the file that was refused that the server answered so.
  for (const each of complaints.splice(0)) expect(each).toContain("422");
});
