import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { awaitHydration } from "../pages/hydration.ts";
import { makeLink, pinOf, zoomInto } from "../pages/links.ts";
import { NodePage } from "../pages/node-page.ts";
import { elsewhere } from "../pages/people.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const HOUR_MS = 3_600_000;
const GIB = 1024 * 1024;
/** Yesterday: nothing in it depends on when the story is told. */
const DAY_MS = Math.floor(Date.now() / (24 * HOUR_MS) - 1) * 24 * HOUR_MS;
const at = (clock: string) => DAY_MS + Date.parse(`1970-01-01T${clock}:00Z`);

/** Containers that leave something behind; what was tried, when, and what the page says of it. */
const TRIED = [
  { what: "pull-monitor stopped", clock: "04:15", verdict: /stopped, memory not given back/ },
  { what: "CRI-O restarted", clock: "06:30", verdict: /memory not given back|no effect|unchanged/ },
  { what: "files in /run/crio/exits removed", clock: "09:00", verdict: /freed/ },
] as const;

const NODE = {
  name: "dies-weekly",
  seed: 41,
  totalKib: 188 * GIB,
  cpus: 32,
  kernelRelease: "4.19.0-6-amd64",
  versions: { "cri-o": "1.15.2", runc: "1.0.0-rc9" },
  fromMs: at("00:00") - 4 * HOUR_MS,
  toMs: at("12:00"),
  everyMs: 120_000,
  containersPerHour: 4200,
  kibPerContainer: 75,
  stopAtMs: at("04:15"),
  freeAtMs: at("09:00"),
  freedShare: 0.6,
};

/** The editor of a text on the page of an investigation. */
async function edit(page: Page, label: string) {
  await page.getByRole("button", { name: new RegExp(`^(Edit|Write) ${label}$`) }).click();
  return page.getByRole("textbox", { name: `${label}, Markdown` });
}

test("history 1, containers that leave something behind: from the first suspicion to resolved, and to who asks", async ({
  page,
  context,
  browser,
  product,
  history,
  complaints,
}, info) => {
  test.setTimeout(240_000);
  const node = new NodePage(page);
  const nodeId = await history(NODE);
  await page.goto("/investigations?search=nobody%20wrote%20this");
  await expect(page.getByRole("heading", { name: "No investigation fits" })).toBeVisible();

  // The suspicion, and what is tried.
  await node.open(nodeId, `?from=${NODE.fromMs}&to=${NODE.toMs}&timezone=utc`);
  for (const { what, clock } of TRIED) {
    await page.getByRole("button", { name: /^Mark(?! \d)/ }).click();
    await node.form.getByLabel("when").fill(new Date(at(clock)).toISOString());
    await node.form.getByLabel("what").fill(what);
    await node.form.getByRole("button", { name: "Mark", exact: true }).click();
    await expect(node.effectOf(what)).toBeVisible();
  }
  // Each is judged up to the next: now that all are there.
  for (const { what, verdict } of TRIED) await expect(node.effectOf(what)).toContainText(verdict);

  // One key opens the investigation; what is pinned next goes there too.
  await page.keyboard.press("3");
  await page.keyboard.press("i");
  const dialog = page.getByRole("dialog", { name: "Pin to an investigation" });
  await expect(dialog.getByRole("textbox")).toHaveValue("dies-weekly: what grows, and why");
  await dialog.getByRole("textbox").fill("dies-weekly runs out of memory once a week");
  await page.keyboard.press("Enter");
  const toast = page.getByRole("status").filter({ hasText: "Pinned as" });
  await expect(toast).toContainText("Pinned as 1 to dies-weekly runs out of memory once a week");
  const numbers: Record<string, number> = {};
  for (const [index, { what }] of TRIED.entries()) {
    numbers[what] = index + 2;
    await page.getByRole("button", { name: `Pin to an investigation: effect of ${what}` }).click();
    await expect(toast).toContainText(`Pinned as ${index + 2}`);
  }
  await page.getByRole("button", { name: "Pin to an investigation: growth against containers" }).click();
  await expect(toast).toContainText("Pinned as 5");
  await page.keyboard.press("i");
  await expect(toast).toContainText("Pinned as 6");
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(toast).toBeHidden();
  await page.keyboard.press("i");
  await toast.getByRole("link").click();

  await expect(page).toHaveURL(/\/investigations\/\d+$/);
  await expect(pinOf(page, 1).getByRole("slider", { name: /Time cursor/ })).toBeVisible();
  await expect(pinOf(page, 2)).toContainText(/grew .* until pull-monitor was stopped/);
  await expect(pinOf(page, 6)).toHaveCount(0);
  await pinOf(page, 7)
    .getByRole("button", { name: /^Take away/ })
    .click();
  await pinOf(page, 7)
    .getByRole("button", { name: /^Really take away/ })
    .click();
  await expect(pinOf(page, 7)).toHaveCount(0);
  const log = page.getByRole("list", { name: "Log, newest first" });
  await expect(log).toContainText("marked on dies-weekly: pull-monitor stopped");

  // What was thought, and what became of it.
  const hypotheses = page.getByRole("region", { name: "Hypotheses" });
  for (const [index, [text, state, evidence]] of (
    [
      ["Each container that pull-monitor starts leaves memory behind.", "supported", 2],
      ["CRI-O itself holds the memory.", "refuted", 3],
      ["Part of it is the exit files of CRI-O.", "supported", 4],
    ] as const
  ).entries()) {
    await page.getByRole("textbox", { name: "A new hypothesis" }).fill(text);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const name = `hypothesis ${index + 1}`;
    await hypotheses
      .getByRole("combobox", { name: `Add evidence to ${name}` })
      .selectOption(`[[pin:${evidence}]]`);
    await expect(hypotheses.getByRole("list", { name: `Evidence of ${name}` })).toContainText(
      `pin ${evidence}`,
    );
    await hypotheses.getByRole("combobox", { name: `State of ${name}` }).selectOption(state);
    await expect(log).toContainText(`called ${state}: ${text}`);
  }
  await expect(hypotheses).toContainText("2 supported, 1 refuted");

  // The document; a reload in the middle of it loses nothing.
  const area = await edit(page, "the document");
  const written = [
    "## What we saw",
    "Nodes run out of memory about once a week. Kernel memory that nothing can reclaim grows as long as *pull-monitor* starts containers.",
    "[[pin:1]]",
    "## What we tried",
    "1. Stopped pull-monitor at 04:15 GMT: growth stops.\n2. Restarted CRI-O: nothing is given back.\n3. Removed what lay in `/run/crio/exits`: a sizeable part is given back.",
  ].join("\n\n");
  await area.fill(written);
  await page
    .getByRole("combobox", { name: /^Place a pin or a figure in the document/ })
    .selectOption("[[pin:5]]");
  await expect(area).toHaveValue(`${written}\n\n[[pin:5]]\n`);
  // Nor what is not sent yet, whatever becomes of the sending.
  const comment = page.getByRole("textbox", { name: "Write to the log, Markdown" });
  const cause = page.getByRole("textbox", { name: "A new hypothesis" });
  await comment.fill("Half of it is *written*");
  await cause.fill("A cause that nobody ");
  await page.route("**/log", (route) => route.abort());
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "This browser keeps the text" })).toBeVisible();
  await page.unroute("**/log");
  for (const each of complaints.splice(0)) expect(each).toContain("ERR_FAILED");
  await page.reload();
  await expect(comment).toHaveValue("Half of it is *written*");
  await expect(cause).toHaveValue("A cause that nobody ");
  await cause.fill("");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(log).toContainText("Half of it is written");
  await expect(comment).toHaveValue("");
  const document = page.getByRole("region", { name: "Document" });
  await expect(
    document.getByText("saved, with history").or(document.getByRole("button", { name: /Edit/ })),
  ).toBeVisible();
  if (await document.getByRole("button", { name: "Done" }).isVisible())
    await document.getByRole("button", { name: "Done" }).click();
  await expect(document.getByRole("heading", { name: "What we tried" })).toBeVisible();
  await expect(pinOf(page, 1).getByRole("slider")).toBeVisible();

  // Two write the conclusion at once.
  const other = awaitHydration(await context.newPage());
  await other.goto(page.url());
  const mine = await edit(page, "the conclusion");
  const theirs = await edit(other, "the conclusion");
  await mine.fill("pull-monitor starts containers all the time, and each leaves memory behind.");
  await expect(page.getByRole("status").filter({ hasText: "saved, with history" })).toBeVisible();
  await theirs.fill("It may be CRI-O.");
  await other.getByRole("button", { name: "Done" }).click();
  const choice = other.getByRole("region", { name: "Two versions of the conclusion" });
  await expect(choice).toContainText("pull-monitor starts containers all the time");
  await expect(choice).toContainText("It may be CRI-O.");
  await theirs.fill("The lasting fix is an upgrade of CRI-O.");
  await other.reload();
  await expect(choice.getByRole("group", { name: "Yours, not saved yet" })).toHaveText(
    "The lasting fix is an upgrade of CRI-O.",
  );
  await choice.getByRole("button", { name: "Save theirs and mine below" }).click();
  await expect(choice).toBeHidden();
  await expect(other.getByRole("status").filter({ hasText: "saved, with history" })).toBeVisible();
  await other.close();

  await page.reload();
  await expect(page.getByRole("region", { name: "Conclusion" })).toContainText(
    /pull-monitor starts .*The lasting fix is an upgrade of CRI-O\./s,
  );
  await page.getByRole("combobox", { name: "Status" }).selectOption("watching");
  await expect(log).toContainText("set the status to watching");
  await page.getByRole("combobox", { name: "Status" }).selectOption("resolved");
  await expect(log).toContainText("set the status to resolved");
  // A save that the reload cut off may come twice: the second is refused, and holds the same text.
  for (const each of complaints.splice(0)) expect(each).toContain("409");
  await page.getByText("History of all texts").click();
  await expect(page.getByRole("list", { name: "Changes, newest first" })).toContainText(
    "pull-monitor starts containers",
  );
  await expectWithinReach(page);
  await page.setViewportSize({ width: 1440, height: 960 });

  // To who asks weeks later: frozen, with its hash, a picture for the chat, and a file that needs no server.
  await page.getByRole("button", { name: "Frozen", exact: true }).click();
  const frozen = await makeLink(page);
  const stranger = await elsewhere(browser, product.url);
  const reader = stranger.page;
  await reader.setViewportSize({ width: 1440, height: 960 });
  reader.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  await reader.goto(frozen);
  await expect(reader.getByText(/everything stands as it was on/)).toBeVisible();
  await expect(pinOf(reader, 1).getByRole("slider")).toBeVisible();
  await expect(pinOf(reader, 5).getByRole("img").first()).toBeVisible();
  await expect(pinOf(reader, 4)).toContainText("freed");
  const hash = await reader.getByRole("contentinfo").locator("code").first().textContent();
  const kept = await stranger.context.request.get(`${frozen}/content`);
  expect(
    createHash("sha256")
      .update(await kept.body())
      .digest("hex"),
  ).toBe(hash);
  await reader.screenshot({ path: info.outputPath("shared-page.png"), fullPage: true });
  await zoomInto(reader, 1);
  await expect(pinOf(reader, 1).getByText("no finer ones are kept here")).toBeVisible();
  const meta = (property: string) => reader.locator(`meta[property="${property}"]`).getAttribute("content");
  expect(await meta("og:title")).toBe("dies-weekly runs out of memory once a week");
  expect(await meta("og:description")).toMatch(/^pull-monitor starts containers all the time/);
  const picture = await stranger.context.request.get((await meta("og:image")) ?? "");
  expect(picture.headers()).toMatchObject({ "content-type": "image/png", "referrer-policy": "no-referrer" });
  expect((await picture.body()).length).toBeGreaterThan(10_000);
  writeFileSync(info.outputPath("preview-picture.png"), await picture.body());

  const downloading = page.waitForEvent("download");
  await page.getByRole("region", { name: "Export" }).getByRole("link", { name: "HTML", exact: true }).click();
  const report = info.outputPath("report.html");
  await (await downloading).saveAs(report);
  await reader.goto(pathToFileURL(report).href);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText(
    "dies-weekly runs out of memory once a week",
  );
  await reader.screenshot({ path: info.outputPath("report.png"), fullPage: true });
  await stranger.context.close();

  await page.goto("/investigations?status=resolved&search=PULL-MONITOR");
  const line = page.getByRole("listitem").filter({ hasText: "dies-weekly runs out of memory" });
  await expect(line).toContainText("resolved");
  await expect(line).toContainText("2 supported, 1 refuted");
});
