import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { NodePage } from "../pages/node-page.ts";
import { expect, test } from "../story.ts";

test("the first chart of this machine adds up to its own MemTotal", async ({ page, nodeId }) => {
  const memTotalKib = Number(/^MemTotal:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1]);
  const node = new NodePage(page);

  await page.goto("/");
  await page.getByRole("link", { name: hostname(), exact: true }).click();
  await node.cursor.waitFor();

  expect(page.url()).toContain(`/nodes/${await nodeId(hostname())}`);
  const inGib = memTotalKib >= 2 * 1024 * 1024;
  const expected = inGib ? (memTotalKib / 1024 / 1024).toFixed(2) : Math.round(memTotalKib / 1024).toString();
  await expect(node.readout.getByRole("row", { name: /^MemTotal/ })).toContainText(expected);
  await expect(page.getByRole("table").filter({ hasText: "kernel dynamic memory" })).toBeVisible();
});

test("two samples later the page has moved on by itself and kept the cursor", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId(hostname()), "?from=now-15m&to=now");
  await node.cursor.focus();
  await page.keyboard.press("Home");
  const pointedAt = await node.cursor.getAttribute("aria-valuenow");
  const before = await node.cursor.getAttribute("aria-valuemax");

  await expect.poll(() => node.cursor.getAttribute("aria-valuemax"), { timeout: 40_000 }).not.toBe(before);
  expect(await node.cursor.getAttribute("aria-valuenow")).toBe(pointedAt);
  await expect(node.readout).toContainText("at cursor");
});
