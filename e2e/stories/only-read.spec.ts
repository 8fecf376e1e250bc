import type { Page } from "@playwright/test";
import { NodePage } from "../pages/node-page.ts";
import { somebody } from "../pages/people.ts";
import { expectWithinReach } from "../pages/within-reach.ts";
import { leakThatStops } from "../simulated-node.ts";
import { expect, test } from "../story.ts";

/** Whatever writes: buttons by what they say, and the choices that change something. */
function writing(page: Page) {
  const main = page.getByRole("main");
  return main
    .getByRole("button", {
      name: /^(Mark( a)?$|Pin |Change:|Take away|Really|Import CSV|Open an investigation|Rename|Edit |Write |Add|Comment|Remove|Acknowledge|Keep )|change this mark$/,
    })
    .or(main.getByRole("combobox", { name: /^(State of|Add evidence)/ }).and(main.locator("select")))
    .or(main.getByRole("textbox", { name: /new investigation|new hypothesis|Write to the log/ }));
}

test("who may only read is offered no writing, and the keys that write say why", async ({
  page,
  browser,
  product,
  history,
}) => {
  const leak = leakThatStops("only-read", 53);
  const nodeId = await history(leak.node);
  const post = async (path: string, data: object) => {
    const made = await page.request.post(path, { data });
    expect(made.status()).toBe(201);
    return (await made.json()) as { annotationId: number; investigationId: number };
  };
  await post("/api/v1/annotations", {
    at: leak.stopAtMs,
    kind: "intervention",
    title: "only read",
    scope: { nodes: [nodeId] },
  });
  const { investigationId } = await post("/api/v1/investigations", {
    title: "Only read",
    scope: { nodes: [nodeId] },
    pins: [{ kind: "table", address: "/experiments", caption: "all of them" }],
  });
  const path = `/api/v1/investigations/${investigationId}`;
  await post(`${path}/hypotheses`, { text: "It leaks" });
  await post(`${path}/log`, { text: "looked at it" });
  const viewer = await somebody(browser, product.url, "viewer");
  const complaints: string[] = [];
  viewer.page.on("pageerror", (error) => complaints.push(error.message));

  for (const [address, ready] of [
    ["/", /^only-read/],
    [`/nodes/${nodeId}`, "Memory composition"],
    [`/nodes/${nodeId}/slab`, "Over time"],
    ["/marks?search=only%20read", "only read"],
    ["/investigations?search=only%20read", "Only read"],
    [`/investigations/${investigationId}`, "Hypotheses"],
    ["/experiments", /experiments?$/],
  ] as const) {
    for (const [reader, count] of [
      [page, undefined],
      [viewer.page, 0],
    ] as const) {
      await reader.goto(address);
      await expect(reader.getByRole("main").getByText(ready).first()).toBeVisible();
      // Whoever may write is offered it at the same places, so that this would notice other words.
      if (count === undefined) await expect(writing(reader).first(), address).toBeVisible();
      else await expect(writing(reader), address).toHaveCount(count);
    }
  }
  for (const reader of [page, viewer.page]) {
    await reader.goto("/inspect");
    await reader.getByRole("button", { name: "a quiet machine" }).click();
    await expect(reader.getByRole("region", { name: "Before you share the text" })).toBeVisible();
    await expect(reader.getByRole("region", { name: "Keep it as a node's snapshot" })).toHaveCount(
      reader === page ? 1 : 0,
    );
  }

  const node = new NodePage(viewer.page);
  await node.open(nodeId);
  const said = viewer.page.getByRole("status").filter({ hasText: "takes an investigator" });
  await viewer.page.keyboard.press("a");
  await expect(said).toHaveText("Marking takes an investigator: you are here as a viewer.");
  await expect(node.form).toHaveCount(0);
  await viewer.page.keyboard.press("i");
  await expect(said).toHaveText("Pinning takes an investigator: you are here as a viewer.");
  await expect(viewer.page.getByRole("dialog", { name: "Pin to an investigation" })).toHaveCount(0);
  await viewer.page.keyboard.press("?");
  const keys = viewer.page.getByRole("dialog", { name: "Keys" });
  await expect(keys).toContainText("reset the zoom");
  await expect(keys).not.toContainText("mark the time at the cursor");
  await viewer.page.keyboard.press("Escape");

  for (const [reader, count] of [
    [page, 1],
    [viewer.page, 0],
  ] as const) {
    await reader.goto(`/investigations/${investigationId}`);
    await expect(reader.getByRole("heading", { name: "Hypotheses" })).toBeVisible();
    await expect(reader.getByRole("combobox", { name: "Status" })).toHaveCount(count);
  }
  await expectWithinReach(viewer.page);
  expect(complaints).toEqual([]);
  await viewer.context.close();
});
