import { NodePage } from "../pages/node-page.ts";
import { databaseAway, expect, test } from "../story.ts";

test("dragging zooms, Back returns, a double click resets", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  const plot = await node.plot();
  const middle = plot.y + plot.height / 3;

  await page.mouse.move(plot.x + plot.width * 0.4, middle);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.6, middle, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}/);
  await expect
    .poll(async () => {
      const [from, to] = await Promise.all(
        ["aria-valuemin", "aria-valuemax"].map((name) => node.cursor.getAttribute(name)),
      );
      return (Number(to) - Number(from)) / 3600;
    })
    .toBeCloseTo(24 * 0.2, 0);

  await page.goBack();
  await expect(page).not.toHaveURL(/from=/);
  await expect(page.getByRole("button", { name: "Live 15 s" })).toBeVisible();

  await node.cursor.focus();
  await page.keyboard.press("+");
  await expect(page).toHaveURL(/from=\d{13}/);
  await node.cursor.dblclick({ position: { x: 200, y: 100 } });
  await expect(page).not.toHaveURL(/from=/);
});

test("a link reproduces window, zone and mode", async ({ page, nodeId }) => {
  const id = await nodeId("magnesia");
  const node = new NodePage(page);
  await node.open(id, "?from=now-12h&to=now-6h&timezone=Europe/Berlin&view=share");
  await expect(page.getByRole("button", { name: "Share" })).toHaveAttribute("aria-pressed", "true");
  await expect(node.readout).toContainText(/last sample .*CET/);

  await page.keyboard.press("u");
  await expect(page).toHaveURL(/timezone=utc/);
  await page.keyboard.press("1");
  await expect(page).toHaveURL(/view=gib/);
  await expect(page.getByText(/adds up to MemTotal, 188/).first()).toBeVisible();
});

test("the range picker takes what people write", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  await page.getByRole("button", { name: /Choose the window/ }).click();
  const picker = page.getByRole("dialog", { name: "Window" });
  await picker.getByLabel("from").fill("soon");
  await picker.getByRole("button", { name: "Show" }).click();
  await expect(picker.getByRole("alert")).toContainText("A time is now");
  await picker.getByLabel("from").fill("now-3h");
  await picker.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/from=now-3h/);
  await expect
    .poll(async () => Number(await node.cursor.getAttribute("aria-valuemin")))
    .toBeGreaterThan(Date.now() / 1000 - 3 * 3600 - 60);
});

test("the cursor moves over all charts without drawing one again", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"), "?from=now-20h&to=now-1h");
  const plot = await node.plot();
  await page.mouse.move(plot.x + 10, plot.y + 100);
  await expect(node.readout).toContainText("at cursor");

  const watching = page.evaluate(async () => {
    const changes: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const record of records) changes.push(record.target.nodeName);
    });
    for (const svg of document.querySelectorAll("main svg"))
      observer.observe(svg, { subtree: true, childList: true, attributes: true });
    let frames = 0;
    const begun = performance.now();
    await new Promise<void>((done) => {
      const frame = () => {
        frames++;
        if (performance.now() - begun < 1500) requestAnimationFrame(frame);
        else done();
      };
      requestAnimationFrame(frame);
    });
    observer.disconnect();
    return { changes, framesPerSecond: (frames / (performance.now() - begun)) * 1000 };
  });
  for (let step = 0; step < 120; step++)
    await page.mouse.move(plot.x + 10 + (step / 120) * (plot.width - 20), plot.y + 100);
  const { changes, framesPerSecond } = await watching;

  expect(changes).toEqual([]);
  test.info().annotations.push({ type: "frames per second", description: framesPerSecond.toFixed(0) });
  await expect(node.readout).toContainText("at cursor");
  await page.mouse.move(plot.x + 10, 5);
  await expect(node.readout).toContainText("last sample");
});

test("each chart is a table and a file", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("zirconia"));
  await page.keyboard.press("t");
  const table = page.getByRole("group", { name: "composition as a table" });
  await expect(table.getByRole("columnheader", { name: "unreclaimable slab (KiB)" })).toBeVisible();
  const csv = page.waitForEvent("download");
  await page.getByRole("button", { name: "composition as CSV" }).click();
  expect((await csv).suggestedFilename()).toMatch(/^zirconia_composition_.*\.csv$/);
  const png = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  expect((await png).suggestedFilename()).toMatch(/^zirconia_.*\.png$/);
});

test("a window that cannot be is told, with what is shown instead", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  const id = await nodeId("magnesia");
  for (const [query, said] of [
    ["from=abc", /from=\u201cabc\u201d, expected now/],
    ["from=1900-01-01&to=2100-01-01", /from 1970 on/],
    ["from=now-9999d", /at most ten years/],
    ["from=now&to=now-2h", /to=\u201cnow-2h\u201d, expected a time after from/],
  ] as const) {
    await node.open(id, `?${query}`);
    const told = page.getByRole("alert").filter({ hasText: "The address cannot be shown" });
    await expect(told).toContainText(said);
    await expect(told).toContainText("Shown instead: the last 24 h");
  }
  await page.keyboard.press("0");
  await expect(page.getByText("The address cannot be shown")).toBeHidden();
});

test("where there is no sample the cursor stays with the pointer and says so", async ({ page, nodeId }) => {
  const node = new NodePage(page);
  // Its history is 24 h long, the first half of this window is empty.
  await node.open(await nodeId("magnesia"), "?from=now-48h&to=now");
  const plot = await node.plot();
  await page.mouse.move(plot.x + plot.width * 0.25, plot.y + 100);
  await expect(node.readout).toContainText("no sample here");
  const atSeconds = Number(await node.cursor.getAttribute("aria-valuenow"));
  expect(Math.abs(Date.now() / 1000 - 36 * 3600 - atSeconds)).toBeLessThan(600);
  await expect(node.cursor).toHaveAttribute("aria-valuetext", /no sample/);
  await page.keyboard.press("a");
  const marked = new Date(atSeconds * 1000).toISOString().slice(0, 16).replace("T", " ");
  await expect(node.form.getByLabel("when")).toHaveValue(new RegExp(`^${marked}`));
});

test("a new node begins with a window that its data fill", async ({ page, history }) => {
  const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
  const node = new NodePage(page);
  const id = await history({
    name: "newcomer",
    seed: 21,
    totalKib: 16 * 1024 * 1024,
    cpus: 4,
    kernelRelease: "6.1.0-18-amd64",
    fromMs: nowMs - 20 * 60_000,
    toMs: nowMs,
    everyMs: 15_000,
    containersPerHour: 40,
    kibPerContainer: 0,
  });
  await node.open(id);
  const span = async () => {
    const ends = await Promise.all(
      ["aria-valuemin", "aria-valuemax"].map((name) => node.cursor.getAttribute(name)),
    );
    return (Number(ends[1]) - Number(ends[0])) / 3600;
  };
  expect(await span()).toBeCloseTo(1, 2);
  await page.getByRole("button", { name: /Choose the window/ }).click();
  await expect(page.getByRole("button", { name: "1 h", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("a part that fails says so and leaves the others alone", async ({ page, nodeId, complaints }) => {
  const node = new NodePage(page);
  await node.open(await nodeId("magnesia"));
  await page.route("**/slab?*", (route) => route.fulfill(databaseAway("7f3a-19c2")));
  await page.keyboard.press("+");
  const alert = page.getByRole("alert").filter({ hasText: "The slab caches could not be read" });
  await expect(alert).toContainText("request 7f3a-19c2");
  await expect(node.readout).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining("503")]);
});
