import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { axeFaults } from "../pages/axe-faults.ts";
import { awaitHydration } from "../pages/hydration.ts";
import { HOSTILE, investigateLeak } from "../pages/leak-investigation.ts";
import { makeLink, pinOf, zoomInto } from "../pages/links.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { leakThatStops } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

/** A browser that comes from elsewhere, with no account here. */
const STRANGER = { extraHTTPHeaders: { "x-forwarded-for": "192.0.2.7" } };

/** What of a page is the same for every address: without what was asked for, and without the nonce. */
function bare(body: string, address: string): string {
  return body
    .replaceAll(address.split("/s/")[1] ?? "", "TOKEN")
    .replace(/nonce(?:=|\\?":\\?")"?[\w+/=-]+/g, "NONCE");
}

test("an investigation is shared, read by a stranger, and taken back", async ({
  page,
  browser,
  history,
  product,
  spoil,
  complaints,
}) => {
  const leak = leakThatStops("shared-node", 83);
  const nodeId = await history(leak.node);
  await investigateLeak(page, leak, {
    nodeId,
    title: `Who eats \u202ethe memory ${HOSTILE}`,
    text: `## What we saw\n\n[[pin:1]]\n\n[the node](/nodes/${nodeId}), ${"long".repeat(200)}`,
  });
  const conclusion = page.getByRole("region", { name: "Conclusion" });
  await expect(conclusion).toContainText("<img src=x");
  await expect(conclusion.getByRole("link", { name: "out" })).toHaveCount(0);
  await expect(page).not.toHaveTitle("run");
  const links = page.getByRole("list", { name: "Links" });
  const live = await makeLink(page);
  await expect(links).toContainText("not opened yet");

  const stranger = await browser.newContext({ ...STRANGER, viewport: { width: 1440, height: 960 } });
  const reader = awaitHydration(await stranger.newPage());
  const scripts: Promise<string>[] = [];
  reader.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.text());
  });
  reader.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  const answer = await reader.goto(live);
  expect(answer?.headers()).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow, noarchive",
  });
  expect(answer?.headers()["cache-control"]).toMatch(/private.*no-store/);
  const pin = (number: number) => pinOf(reader, number);
  const cursor = pin(1).getByRole("slider", { name: /Time cursor/ });
  await expect(cursor).toBeVisible();
  await expect(reader.getByRole("heading", { level: 1 })).toContainText("Who eats the memory <script>");
  await expect(reader).toHaveTitle(/Who eats/);
  await expect(reader.getByRole("region", { name: "Conclusion" })).toContainText(/MiB\/h \(/);
  await expect(reader.getByRole("list", { name: "Hypotheses" })).toContainText("supported");
  await expect(pin(2)).toContainText("stopped");
  await expect(pin(3)).toContainText("per container");
  await expect(reader.getByRole("link", { name: "the node" })).toHaveCount(0);
  await expect(reader.locator('a[href^="/nodes"], a[href^="/investigations"]')).toHaveCount(0);
  const code = (await Promise.all(scripts)).join("\n");
  expect(code.length).toBeGreaterThan(100_000);
  expect(code).not.toContain("/api/v1/");
  expect(code).not.toContain('"PATCH"');
  // Nor what checks forms and answers: a third of its code once.
  expect(code).not.toContain("invalid_type");

  const finer = reader.waitForResponse(/\/closer\/1\?from=\d+&to=\d+$/);
  await zoomInto(reader, 1);
  await expect(pin(1).getByRole("button", { name: "Show all of it" })).toBeVisible();
  expect((await finer).status()).toBe(200);
  await expect(pin(1).getByRole("status").filter({ hasText: "finer" })).toHaveCount(0);
  await pin(1).getByRole("button", { name: "Show all of it" }).click();
  await expect(pin(1).getByRole("button", { name: "Show all of it" })).toBeHidden();
  await pin(1)
    .getByRole("button", { name: /^Table/ })
    .click();
  await expect(pin(1).getByRole("group", { name: "Numbers of pin 1" })).toContainText("MemTotal (KiB)");
  const downloading = reader.waitForEvent("download");
  await pin(1).getByRole("button", { name: "pin 1 as CSV" }).click();
  const csv = readFileSync(await (await downloading).path(), "utf8").split("\n");
  expect(csv[0]).toContain("unaccounted (KiB)");
  expect(csv.length).toBeGreaterThan(300);
  await pin(1)
    .getByRole("button", { name: /^Hide the table/ })
    .click();
  await expectWithinReach(reader);

  const meta = (property: string) => reader.locator(`meta[property="${property}"]`).getAttribute("content");
  expect(await meta("og:title")).toContain("Who eats");
  expect(await meta("og:description")).toMatch(/^The puller: .*<script>/);
  const paper = await reader.pdf({ preferCSSPageSize: true });
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");

  await reader.goto("/");
  await expect(reader).toHaveURL(/\/sign-in/);

  await page.getByRole("button", { name: "Frozen", exact: true }).click();
  await page.getByRole("checkbox", { name: "Replace names", exact: true }).check();
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: /^Preview/ }).click();
  const preview = await opening;
  const replaced = preview.getByRole("group", { name: "What was replaced" });
  await expect(replaced.getByRole("row", { name: /shared-node node-1/ })).toBeVisible();
  await expect(preview.getByRole("main")).toContainText("nodes node-1");
  await expect(preview.getByRole("main")).not.toContainText("shared-node");
  expect(await axeFaults(preview)).toEqual([]);
  await preview.close();
  const nameless = await makeLink(page);
  const plain = await (await stranger.request.get(nameless)).text();
  expect(plain).toContain("node-1");
  expect(plain).not.toContain("shared-node");
  await page.getByRole("checkbox", { name: "Replace names", exact: true }).uncheck();

  await page.getByLabel("Password").fill("open sesame, please");
  const guarded = await makeLink(page);
  await reader.goto(guarded);
  await expect(reader.getByRole("heading", { name: "This link has a password" })).toBeVisible();
  await reader.getByLabel("Password").fill("open");
  await reader.getByRole("button", { name: "Open" }).click();
  await expect(reader.getByRole("alert").filter({ hasText: "not the password" })).toBeVisible();
  await expectWithinReach(reader);
  await reader.getByLabel("Password").fill("open sesame, please");
  await reader.getByRole("button", { name: "Open" }).click();
  await expect(pin(1)).toBeVisible();

  await page.reload();
  const ofLive = links.getByRole("listitem").filter({ hasText: "live" });
  await expect(ofLive).toContainText("opened once");
  await ofLive.getByRole("button", { name: /^Revoke/ }).click();
  await ofLive.getByRole("button", { name: /^Revoke for good/ }).click();
  await expect(ofLive).toContainText("revoked");
  const gone = await reader.goto(live);
  expect(gone?.status()).toBe(404);
  await expect(reader.getByRole("heading", { name: "This link opens nothing" })).toBeVisible();
  await expectWithinReach(reader);
  const revoked = await stranger.request.get(live);
  const unknown = await stranger.request.get(`${product.url}/s/${"x".repeat(32)}`);
  expect([revoked.status(), unknown.status()]).toEqual([404, 404]);
  expect(bare(await unknown.text(), `/s/${"x".repeat(32)}`)).toBe(bare(await revoked.text(), live));
  for (const part of ["content", "picture"])
    expect((await stranger.request.get(`${live}/${part}`)).status()).toBe(404);
  expect(await (await stranger.request.get(`${live}/content`)).text()).not.toContain("shared-node");

  // What the server cannot read is said in the words of whoever looks.
  const investigationId = page.url().split("/").at(-1);
  await spoil(`update "Investigation" set status = 'nothing' where id = $1`, [investigationId]);
  await page.reload();
  await expect(page.getByRole("heading", { name: "This page could not be read" })).toBeVisible();
  await expectWithinReach(page);
  await spoil(`update "Investigation" set status = 'open' where id = $1`, [investigationId]);
  await page.reload();
  const touched = createHash("sha256")
    .update(guarded.split("/s/")[1] ?? "")
    .digest("hex");
  await spoil(
    `update "FrozenShare" set content = content || ' ' where "shareId" = (select id from "ShareLink" where "tokenHash" = $1)`,
    [touched],
  );
  await reader.goto(guarded);
  await expect(reader.getByRole("heading", { name: "This page cannot be shown now" })).toBeVisible();
  expect(await axeFaults(reader)).toEqual([]);

  // What is deleted is read on through its frozen links, until somebody ends those too.
  const kept = await stranger.request.get(nameless);
  expect(kept.status()).toBe(200);
  await page.getByRole("button", { name: "Delete this investigation" }).click();
  const deleting = page.getByRole("region", { name: "Delete this investigation" });
  await expect(deleting).toContainText("2 frozen links go on answering");
  await deleting.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("link", { name: "All share links" }).click();
  const orphan = page
    .getByRole("list", { name: "Links that answer, newest first" })
    .getByRole("listitem")
    .filter({ hasText: "Who eats" })
    .filter({ hasText: "deleted" })
    .filter({ hasNotText: "with a password" });
  await expect(orphan).toContainText("names replaced");
  await expectWithinReach(page);
  await orphan.getByRole("button", { name: /^Revoke/ }).click();
  await orphan.getByRole("button", { name: /^Revoke for good/ }).click();
  await expect(orphan).toHaveCount(0);
  expect((await stranger.request.get(nameless)).status()).toBe(404);
  await stranger.close();
  // The browser says of each page that is not there or fails that it could not be loaded.
  for (const each of complaints.splice(0)) expect(each).toMatch(/404|500|React error #441/);
});
