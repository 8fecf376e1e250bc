import { NodePage } from "../pages/node-page.ts";
import { leakThatStops } from "../simulated-node.ts";
import { databaseAway, expect, test } from "../story.ts";

const HOUR_MS = 3_600_000;

test("what each container leaves behind is a number, a picture and a table", async ({ page, history }) => {
  const { node: simulated } = leakThatStops("counted", 17);
  const node = new NodePage(page);
  await node.open(await history(simulated));
  await expect(node.containers.getByText("leaves memory behind")).toBeVisible();
  await expect(node.containers).toContainText(/7[45](\.\d+)? KiB per container \(95 %: 7\d/);
  await expect(node.containers).toContainText("goes with container creation");
  await expect(
    node.containers.getByRole("img", { name: /unreclaimable kernel memory against containers/ }),
  ).toBeVisible();
  await node.containers.getByRole("button", { name: "growth against containers as a table" }).click();
  await expect(node.containers.getByRole("columnheader", { name: "containers/h" })).toBeVisible();

  await page.goto(`${page.url()}?from=now-20m&to=now`);
  await expect(node.containers).toContainText("Choose a longer window");
});

test("a deed is marked as people write times, and its verdict is read", async ({ page, history }) => {
  const { node: simulated, clock } = leakThatStops("marked", 11);
  const node = new NodePage(page);
  await node.open(await history(simulated));
  await expect(node.effects).toContainText("Nothing is marked in this window.");

  await page.getByRole("button", { name: /^Mark(?! \d)/ }).click();
  await node.form.getByLabel("when").fill(`${clock} GMT`);
  await expect(node.form.getByText(`${clock}:00 UTC, 6 h ago`)).toBeVisible();
  await node.form.getByLabel("what").fill("pull-monitor stopped");
  await node.form.getByLabel("more").fill("on this node only");
  // As two quick presses of Enter would: one mark all the same.
  await node.form.locator("form").evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });

  await expect(node.form).toBeHidden();
  await expect(node.effectOf("pull-monitor stopped")).toHaveCount(1);
  await expect(node.effectOf("pull-monitor stopped")).toContainText("stopped, memory not given back");
  await expect(node.answer).toContainText(/MiB\/h \(95 %: .*stopped/);

  await page.getByRole("button", { name: /^Mark 1: pull-monitor stopped/ }).hover();
  await expect(page.getByRole("tooltip")).toContainText("on this node only");

  await node.effects.getByRole("button", { name: /^pull-monitor stopped/ }).click();
  await node.form.getByLabel("what").fill("pull-monitor scaled to 0");
  await node.form.getByRole("button", { name: "Save" }).click();
  await expect(node.effectOf("pull-monitor scaled to 0")).toBeVisible();

  await node.effects.getByRole("button", { name: /^pull-monitor scaled/ }).click();
  await node.form.getByRole("button", { name: "Delete" }).click();
  await node.form.getByRole("button", { name: "Really delete it" }).click();
  await expect(node.form).toBeHidden();
  await expect(page.getByText("Nothing is marked in this window.")).toBeVisible();
});

test("what cannot be a time is said at once; yesterday and the future are told", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("ceria"));
  await page.getByRole("button", { name: /^Mark(?! \d)/ }).click();
  const when = node.form.getByLabel("when");

  await when.fill("04:75");
  await expect(node.form.getByText("No such time.")).toBeVisible();
  await node.form.getByLabel("what").fill("nothing");
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();
  await expect(node.form).toBeVisible();

  await when.fill("2099-01-01T00:00Z");
  await expect(node.form.getByText("This lies in the future")).toBeVisible();
});

test("a failed save loses nothing and names the request", async ({ page, nodeId, complaints }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("ceria"));
  await page.route("**/api/v1/annotations", (route) =>
    route.request().method() === "POST" ? route.fulfill(databaseAway("7f3a-1a08")) : route.continue(),
  );
  await page.getByRole("button", { name: /^Mark(?! \d)/ }).click();
  await node.form.getByLabel("what").fill("kubelet restarted");
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();

  await expect(node.form.getByRole("alert")).toContainText("The database is away. request 7f3a-1a08");
  await expect(node.form.getByLabel("what")).toHaveValue("kubelet restarted");
  // The browser itself logs the refused request.
  expect(complaints.splice(0)).toEqual([expect.stringContaining("503")]);
});

test("with the keyboard alone: to the chart, to a time, mark it", async ({ page, history }) => {
  const { node: simulated, stopAtMs } = leakThatStops("keyboard", 12);
  const node = new NodePage(page);
  await node.open(await history(simulated), `?from=${stopAtMs - 6 * HOUR_MS}&to=${stopAtMs + 6 * HOUR_MS}`);

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  for (let presses = 0; presses < 60; presses++) {
    if (await node.cursor.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(node.cursor).toBeFocused();
  await page.keyboard.press("Home");
  for (let hours = 0; hours < 6; hours++) await page.keyboard.press("Shift+ArrowRight");
  const atMs = Number(await node.cursor.getAttribute("aria-valuenow")) * 1000;
  expect(Math.abs(atMs - stopAtMs)).toBeLessThan(5 * 60_000);

  await page.keyboard.press("a");
  await page.keyboard.type("stopped by hand");
  await page.keyboard.press("Enter");

  await expect(node.form).toBeHidden();
  await expect(node.effectOf("stopped by hand")).toContainText("stopped");
});
