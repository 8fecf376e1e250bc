import type { Page } from "@playwright/test";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

const LOADED = "The reader is loaded";

/** Opens the page, waits for its reader, and cuts the network; what is asked for from then on is listed. */
async function openWithoutNetwork(page: Page): Promise<string[]> {
  await page.goto("/inspect");
  await expect(page.getByText(LOADED)).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (!/^(?:data|blob):/.test(request.url())) asked.push(`${request.method()} ${request.url()}`);
  });
  await page.context().route("**/*", (route) => route.abort());
  await page.context().setOffline(true);
  return asked;
}

test("a paste is read in the browser with the network cut, and nothing leaves it", async ({ page }) => {
  const asked = await openWithoutNetwork(page);
  await page.getByRole("button", { name: "smem -w, exit files and cgroups" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("A leak");
  await expect(page.getByRole("table", { name: "What holds the memory" })).toContainText("21.3 GiB");
  await expect(page.getByRole("region", { name: "Recognised" })).toContainText("/proc/cgroups");
  await expect(page.getByRole("region", { name: "Known leaks" })).toContainText("for good");

  const box = page.getByLabel("Dump", { exact: true });
  await box.fill(`${await box.inputValue()}what a mess\nof a day\nPercpu: 17`);
  await expect(page.getByRole("region", { name: "Recognised" })).toContainText("1 line not understood");
  // The number at the very end counts, although nothing follows it.
  await expect(page.getByRole("region", { name: "Numbers" })).toContainText("Percpu17 KiB");

  await page.getByRole("button", { name: "Replace names" }).click();
  const redaction = page.getByRole("region", { name: "Before you share the text" });
  await expect(redaction.getByLabel("Redacted text")).toContainText("root@host-1:~# smem");
  await expect(redaction.getByLabel("Redacted text")).not.toContainText("node-7");
  // It does not stand beside another text.
  await page.getByRole("button", { name: "a quiet machine" }).click();
  await expect(redaction.getByLabel("Redacted text")).toHaveCount(0);
  expect(asked).toEqual([]);
});

test("samples in one text are a chart, two dumps are compared by band", async ({ page }) => {
  const asked = await openWithoutNetwork(page);
  await page.getByRole("button", { name: "a week of /proc/meminfo that grows" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("A leak");
  const time = page.getByRole("region", { name: "Over time" });
  await expect(time).toContainText("4 samples");
  await expect(time.getByRole("row", { name: /slab, unreclaimable/ })).toContainText("+18.8 GiB");
  await expect(page.getByRole("region", { name: "Who is right about used memory" })).toContainText("kubelet");

  await page.getByRole("button", { name: "a quiet machine" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Not a leak");
  await page.getByRole("button", { name: "Compare with a second dump" }).click();
  const firstBox = page.getByLabel("First dump, the earlier one", { exact: true });
  const first = await firstBox.inputValue();
  await firstBox.fill(`Linux node-a 5.10.0-20-amd64 #1 SMP\n${first}`);
  await page
    .getByLabel("Second dump", { exact: true })
    .fill(
      `Linux node-b 6.1.0-18-amd64 #1 SMP\n${first.replace(/SUnreclaim: .*/, "SUnreclaim:       9000000 kB")}`,
    );
  // The second is what is read first, and that it is of another machine is said.
  await expect(page.getByRole("button", { name: "Second dump", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.getByRole("note")).toContainText("host node-a and node-b; kernel");
  await page.getByRole("button", { name: "Difference" }).click();
  await expect(page.getByRole("row", { name: /slab, unreclaimable/ })).toContainText("+7.81 GiB");
  await expect(page.getByRole("row", { name: /^MemTotal/ })).toContainText("0");
  expect(asked).toEqual([]);
});

test("files are dropped in any order, long pastes leave the page at hand, too much is refused", async ({
  page,
}) => {
  const asked = await openWithoutNetwork(page);
  await page.getByLabel("Open files: Dump").setInputFiles([
    {
      name: "cgroups",
      mimeType: "text/plain",
      buffer: Buffer.from("#subsys_name hierarchy num_cgroups enabled\nmemory 7 64000 1\n"),
    },
    {
      name: "free.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(
        "       total   used   free  shared  buff/cache  available\nMem:   16000000  4000000  2000000  10000  10000000  11000000\n",
      ),
    },
  ]);
  const recognised = page.getByRole("region", { name: "Recognised" });
  await expect(recognised).toContainText("/proc/cgroups");
  await expect(recognised).toContainText("free");

  await page.getByRole("button", { name: "Clear" }).click();
  const paste = (bytes: number) =>
    page.getByLabel("Dump", { exact: true }).evaluate((box, length) => {
      const data = new DataTransfer();
      const line = `${"x".repeat(998)}\n`;
      data.setData("text/plain", `MemTotal: 1024 kB\n${line.repeat(Math.ceil(length / line.length))}`);
      box.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, bytes);
  await paste(50_000_000);
  await expect(page.getByRole("list", { name: "Files and long pastes" })).toContainText("50 MB");
  // The page answers while the worker reads.
  await page.getByRole("button", { name: "Compare with a second dump" }).click();
  await expect(page.getByLabel("Second dump", { exact: true })).toBeVisible();
  await expect(recognised).toContainText("Only the first 8000000 characters were read.", { timeout: 40_000 });
  await page.getByRole("button", { name: "Close the second dump" }).click();
  await paste(30_000_000);
  await expect(page.getByText(/Not taken: together 80 MB/)).toBeVisible();
  expect(asked).toEqual([]);
});

test("a whole text is kept as a node's snapshot when asked, and then is a node", async ({ page, nodeId }) => {
  await page.goto("/inspect");
  await expect(page.getByText(LOADED)).toBeVisible();
  await page.getByRole("button", { name: "a quiet machine" }).click();
  const keep = page.getByRole("region", { name: "Keep it as a node's snapshot" });
  await expect(keep).toContainText("Not possible with this text");
  await page.getByRole("button", { name: "kernel files as tail prints them, ready to save" }).click();

  await page.getByRole("button", { name: /^Pin, sends the text/ }).click();
  await page.getByRole("button", { name: "Open a new one" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Pinned as 1" })).toContainText(
    "What this dump says",
  );

  await keep.getByLabel("name of the node").fill("pasted-at-inspect");
  await keep.getByLabel("read at").fill(new Date(Date.now() - 60_000).toISOString());
  await keep.getByRole("button", { name: "Keep this snapshot" }).click();
  await expect(keep.getByRole("status")).toHaveText("1 kept as snapshots of pasted-at-inspect.");
  await page.goto(`/nodes/${await nodeId("pasted-at-inspect")}`);
  await expect(page.getByRole("region", { name: "Who is right about used memory" })).toContainText(
    "node-problem-detector",
  );
});

test("the page is within reach", async ({ page }) => {
  await page.goto("/inspect");
  await expect(page.getByText(LOADED)).toBeVisible();
  await expectWithinReach(page);
  await page.getByRole("button", { name: "a week of /proc/meminfo that grows" }).click();
  await expect(page.getByRole("region", { name: "Over time" })).toBeVisible();
  await page.getByRole("button", { name: "Replace names" }).click();
  await expectWithinReach(page);
});
