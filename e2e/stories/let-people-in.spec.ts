import { randomUUID } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { goTo, tabTo } from "../pages/keyboard.ts";
import { newAddress, pinOf } from "../pages/links.ts";
import { elsewhere } from "../pages/people.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const PASSWORD = "correct horse battery staple";

async function makeLink(page: Page, role: string): Promise<string> {
  const invite = page.getByRole("region", { name: "Let somebody in" });
  await invite.getByLabel("as").selectOption(role);
  await invite.getByRole("button", { name: "Make a link" }).click();
  await expect(invite.getByText(`Makes an account as ${role}.`)).toBeVisible();
  return new URL(await invite.locator("pre").innerText()).pathname;
}

async function accept(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("E-mail address").fill(`${name.replaceAll(" ", ".")}@plumbline.example`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.getByText(`You: ${name}`)).toBeVisible();
}

/** Ingo signs in, pins a node and makes a link, which a stranger opens: with the keyboard alone, first with a wrong password. */
async function withoutMouse(browser: Browser, server: string, mark: string): Promise<void> {
  const { page, context } = await elsewhere(browser, server);
  await page.goto("/marks");
  await tabTo(page, page.getByLabel("E-mail address"));
  await page.keyboard.type(`ingo.${mark}@plumbline.example`);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "do not fit" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/marks$/);
  const menu = page.locator("summary").filter({ hasText: `Ingo ${mark}` });
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Account" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Account" })).toBeHidden();

  await goTo(page, "ceria", /^ceria node/);
  await expect(page).toHaveURL(/\/nodes\/\d+/);
  await page.getByRole("slider", { name: /Time cursor/ }).waitFor();
  const title = page.getByRole("dialog", { name: "Pin to an investigation" }).getByRole("textbox");
  await expect(async () => {
    await page.keyboard.press("i");
    await expect(title).toBeFocused({ timeout: 1000 });
  }).toPass();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(`By hand ${mark}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Pinned as 1" })).toBeVisible();
  await goTo(page, `by hand ${mark}`, new RegExp(`^By hand ${mark} investigation`));
  await tabTo(page, page.getByRole("button", { name: "Make link" }));
  await page.keyboard.press("Enter");
  const link = await newAddress(page);

  const stranger = await elsewhere(browser, server);
  await stranger.page.goto(link);
  await tabTo(stranger.page, pinOf(stranger.page, 1).getByRole("slider", { name: /Time cursor/ }));
  await expect(stranger.page.getByRole("heading", { level: 1 })).toHaveText(`By hand ${mark}`);
  await stranger.context.close();
  await context.close();
}

test("the first administrator lets an investigator and a viewer in; the viewer cannot write; all sign out", async ({
  page,
  browser,
  product,
}) => {
  // Five pages are looked at in light and dark, wide and narrow.
  const mark = randomUUID().slice(0, 8);
  const complaints: string[] = [];
  // Whoever is nobody sees the page that signs in, and nothing else.
  const first = await elsewhere(browser, product.url);
  first.page.on("pageerror", (error) => complaints.push(error.message));
  await first.page.goto("/people");
  await expect(first.page).toHaveURL(/\/sign-in\?next=%2Fpeople$/);
  await expect(first.page.getByRole("navigation", { name: "Main" })).toHaveCount(0);

  // The one-time address: here made by who is at the machine, as the start of the server makes its own.
  await page.goto("/people");
  const opened = await makeLink(page, "administrator");
  await first.page.goto(opened);
  await expectWithinReach(first.page);
  await first.page.setViewportSize({ width: 1440, height: 960 });
  await accept(first.page, opened, `Ada ${mark}`);
  await first.page.goto(opened);
  await expect(first.page.getByRole("heading", { name: "This address was used" })).toBeVisible();

  await first.page.goto("/people");
  const investigator = await elsewhere(browser, product.url);
  const viewer = await elsewhere(browser, product.url);
  await accept(investigator.page, await makeLink(first.page, "investigator"), `Ingo ${mark}`);
  await accept(viewer.page, await makeLink(first.page, "viewer"), `Vera ${mark}`);

  const json = { at: Date.now() - 60_000, kind: "note", title: `seen ${mark}`, scope: {} };
  const allowed = await investigator.context.request.post("/api/v1/annotations", { data: json });
  expect(allowed.status()).toBe(201);
  const made = (await allowed.json()) as { author: string; annotationId: number };
  expect(made.author).toBe(`Ingo ${mark}`);
  const refused = await viewer.context.request.post("/api/v1/annotations", { data: json });
  expect(refused.status()).toBe(403);
  expect(await refused.json()).toMatchObject({
    detail: "This is for investigators: you are here as a viewer.",
  });
  await viewer.page.goto("/marks");
  await expect(viewer.page.getByText(`seen ${mark}`).first()).toBeVisible();
  await expect(viewer.page.getByRole("link", { name: "Add nodes" })).toHaveCount(0);
  await viewer.page.goto("/add-nodes");
  await expect(viewer.page.getByRole("heading", { name: "Not for your role" })).toBeVisible();

  await first.page.goto(`/audit?actor=${encodeURIComponent(`Ingo ${mark}`)}`);
  const trail = first.page.getByRole("table", { name: "Audit trail" });
  await expect(trail.getByRole("row", { name: /annotation\.create/ })).toContainText(
    `annotation ${made.annotationId}`,
  );
  await expectWithinReach(first.page);
  await first.page.setViewportSize({ width: 1440, height: 960 });
  await first.page.goto("/people");
  await expectWithinReach(first.page);
  await first.page.setViewportSize({ width: 1440, height: 960 });
  await withoutMouse(browser, product.url, mark);
  await first.page.getByRole("button", { name: `Disable Ingo ${mark}` }).click();
  await expect(first.page.getByRole("button", { name: `Let in again Ingo ${mark}` })).toBeVisible();
  await investigator.page.goto("/");
  await expect(investigator.page).toHaveURL(/\/sign-in$/);

  await viewer.page.goto("/account");
  await expect(viewer.page.getByRole("table", { name: "Sessions" }).getByText("here")).toBeVisible();
  await expectWithinReach(viewer.page);
  await viewer.page.setViewportSize({ width: 1440, height: 960 });
  await viewer.page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(viewer.page).toHaveURL(/\/sign-in$/);
  await viewer.page.goto("/marks");
  await expect(viewer.page).toHaveURL(/\/sign-in\?next=%2Fmarks$/);

  await expectWithinReach(viewer.page);

  expect(complaints).toEqual([]);
  for (const { context } of [first, investigator, viewer]) await context.close();
});
