import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { awaitHydration } from "./hydration.ts";

/** A browser elsewhere: behind a proxy nobody is at the server's machine. */
export async function elsewhere(
  browser: Browser,
  baseURL: string,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: { "x-forwarded-for": "192.0.2.7" } });
  return { page: awaitHydration(await context.newPage()), context };
}

/** Somebody with a new account of a role, signed in elsewhere; who is at the machine lets them in. */
export async function somebody(
  browser: Browser,
  baseURL: string,
  role: "viewer" | "investigator" | "administrator",
): Promise<{ page: Page; context: BrowserContext }> {
  const made = await fetch(`${baseURL}/api/v1/invitations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ role }),
  });
  expect(made.status).toBe(201);
  const { path } = (await made.json()) as { path: string };
  const name = `Some ${role} ${randomUUID().slice(0, 8)}`;
  const there = await elsewhere(browser, baseURL);
  const accepted = await there.context.request.post("/api/v1/invitations/accept", {
    data: {
      code: path.split("/").at(-1),
      name,
      email: `${name.replaceAll(" ", ".")}@plumbline.example`,
      password: "correct horse battery staple",
    },
  });
  expect(accepted.ok()).toBe(true);
  return there;
}
