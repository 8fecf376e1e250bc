import { readFile } from "node:fs/promises";
import { axeFaults } from "../pages/axe-faults.ts";
import { NodePage } from "../pages/node-page.ts";
import { expectNoOverflow } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";
import { leakThatStops } from "../simulated-node.ts";

test("a stretch of time is drawn with Shift, tagged, filtered, changed, and its history read", async ({
  page,
  history,
}) => {
  const node = new NodePage(page);
  const id = await history(leakThatStops("stretched", 23).node);
  await node.open(id);
  const plot = await node.plot();
  await page.keyboard.down("Shift");
  await page.mouse.move(plot.x + plot.width * 0.4, plot.y + 80);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.6, plot.y + 80, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");

  await expect(node.form.getByRole("heading", { name: "Mark a stretch of time" })).toBeVisible();
  await expect(node.form.getByLabel("until")).not.toHaveValue("");
  await node.form.getByLabel("what").fill("pull-monitor paused");
  await node.form.getByLabel("tags").fill("cri-o, <img src=x>");
  await node.form.getByRole("button", { name: "labels" }).first().click();
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();
  await expect(node.form.getByText("Give at least one label, such as zone=a.")).toBeVisible();
  await node.form.getByRole("button", { name: "this node" }).click();
  await node.form.getByRole("button", { name: "Mark", exact: true }).click();
  await expect(node.form).toBeHidden();
  await expect(node.effectOf("pull-monitor paused")).toHaveCount(1);
  await expect(page.locator("[data-range]")).not.toHaveCount(0);

  const bar = page.getByRole("group", { name: "Marks shown, by kind and tag" });
  await expect(bar.getByRole("button", { name: "#<img src=x> 1" })).toBeVisible();
  const chosen = bar.getByRole("button", { name: "#cri-o 1" });
  await chosen.click();
  await expect(page).toHaveURL(/tag=cri-o/);
  await node.open(id);
  await expect(page).toHaveURL(/tag=cri-o/);
  // What is remembered is in the address a moment before the button shows it; pressed before that, it would be chosen again.
  await expect(chosen).toHaveAttribute("aria-pressed", "true");
  await chosen.click();
  await expect(page).not.toHaveURL(/tag=/);

  await node.effects.getByRole("button", { name: /^pull-monitor paused/ }).click();
  await node.form.getByLabel("what").fill("pull-monitor paused for lunch");
  await node.form.getByRole("button", { name: "Save" }).click();
  await expect(node.form).toBeHidden();
  await node.effects.getByRole("button", { name: /^pull-monitor paused for lunch/ }).click();
  await node.form.getByText("History").click();
  const versions = node.form.getByRole("list", { name: /Versions of the mark/ }).getByRole("listitem");
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText("pull-monitor paused \u2192 pull-monitor paused for lunch");
  expect(await axeFaults(page)).toEqual([]);
});

test("all marks: searched, exported, taken away, and brought back from the file", async ({
  page,
  history,
  product,
  complaints,
}) => {
  const id = await history(leakThatStops("logged", 29).node);
  for (const [title, at] of [
    ["=1+1 rollout of <b>runc</b>", Date.now() - 7_200_000],
    ["rollout noted", Date.now() - 3_600_000],
  ] as const) {
    const made = await fetch(`${product.url}/api/v1/annotations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ at, kind: "deploy", title, scope: { nodes: [id] }, tags: ["wave-7"] }),
    });
    expect(made.status).toBe(201);
  }
  await page.goto("/marks");
  await page.getByRole("searchbox").fill("logged");
  await page.getByRole("button", { name: "Search" }).click();
  const marks = page.getByRole("list", { name: "Marks, newest first" });
  await expect(marks.getByRole("heading", { level: 2 })).toHaveText([
    "rollout noted",
    "=1+1 rollout of <b>runc</b>",
  ]);
  await marks.getByRole("button", { name: "#wave-7" }).first().click();
  await expect(page).toHaveURL(/tag=wave-7/);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await axeFaults(page), scheme).toEqual([]);
  }
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, "utf8")).toContain(",'=1+1 rollout of <b>runc</b>,");

  await marks.getByRole("button", { name: "Change: rollout noted" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Delete" }).click();
  await form.getByRole("button", { name: "Really delete it" }).click();
  await expect(marks.getByRole("heading", { level: 2 })).toHaveText(["=1+1 rollout of <b>runc</b>"]);
  await page.getByLabel("State").selectOption("deleted");
  await expect(marks).toContainText("taken away");
  await marks.getByText("History").click();
  await expect(marks.getByRole("list", { name: /Versions/ })).toContainText("deleted by local");

  await page.getByLabel("State").selectOption("kept");
  await page.getByLabel("CSV file to import").setInputFiles(file);
  await expect(page.getByText("1 imported; 1 were there already.")).toBeVisible();
  await expect(marks.getByRole("heading", { level: 2 })).toHaveCount(2);

  await page.getByLabel("CSV file to import").setInputFiles({
    name: "wrong.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("at,kind,title,scope\n1,party,x,{}"),
  });
  await expect(page.getByRole("alert").filter({ hasText: "Nothing was imported" })).toContainText(
    "line 2: kind",
  );
  // The browser itself logs the refused request.
  expect(complaints.splice(0)).toEqual([expect.stringContaining("422")]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.getByRole("button", { name: "Mark", exact: true }).click();
  const compare = form.getByRole("group", { name: "Nodes to compare with" });
  const box = await compare.boundingBox();
  expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect(await axeFaults(page)).toEqual([]);
});
