import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectWithinReach } from "../pages/within-reach.ts";
import { expect, test } from "../story.ts";

test("a token made on the page, the command as it stands there, and the first snapshot is announced", async ({
  page,
  product,
}) => {
  await page.goto("/add-nodes");
  await expect(page.getByText("Waiting for a node that was not here")).toBeVisible();
  const commands = page.getByRole("region", { name: "2. The commands" });
  await expect(commands.locator("pre").first()).toContainText("'TOKEN'");

  await page.getByLabel("cluster of the nodes").fill("sparta");
  await page.getByLabel("name of the token").fill("story of adding");
  await page.getByRole("button", { name: "Make a token" }).click();
  await expect(page.getByText("cannot be shown again")).toBeVisible();
  const command = await commands.locator("pre").first().innerText();
  expect(command).toMatch(/'pl_[^']+'/);
  expect(command).toContain(`curl -fsS ${product.url}/collector.sh`);

  const folder = mkdtempSync(join(tmpdir(), "plumbline-add-"));
  const run = spawn("sh", ["-c", command], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PLUMBLINE_NODE: "leonidas",
      PLUMBLINE_SPOOL: join(folder, "spool"),
      PLUMBLINE_PUSH: "1s",
    },
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr])
    stream.on("data", (text: Buffer) => (said += text.toString()));
  try {
    await expect(page.getByText(/First snapshot received from leonidas/)).toBeVisible({ timeout: 60_000 });
    expect(said).toContain("plumbline-collector.sh: OK");
  } finally {
    if (run.pid !== undefined) process.kill(-run.pid, "SIGTERM");
    await new Promise((done) =>
      run.exitCode === null && run.signalCode === null ? run.once("exit", done) : done(0),
    );
    rmSync(folder, { recursive: true, force: true });
  }

  const token = page.getByRole("table", { name: "Tokens" }).getByRole("row", { name: /story of adding/ });
  await expect(token).toContainText("in use");
  await token.getByRole("button", { name: "Revoke story of adding" }).click();
  await token.getByRole("button", { name: "Revoke for good" }).click();
  await expect(token).toContainText("revoked");
  const secret = /'(pl_[^']+)'/.exec(command)?.[1] ?? "";
  const refused = await fetch(`${product.url}/api/v1/snapshots`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(refused.status).toBe(401);

  await page.getByRole("link", { name: "leonidas" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("every way has its commands, and the page is within reach", async ({ page }) => {
  await page.goto("/add-nodes");
  const commands = page.getByRole("region", { name: "2. The commands" });
  for (const [way, word] of [
    ["systemd", "systemctl daemon-reload"],
    ["Kubernetes DaemonSet", "kind: DaemonSet"],
    ["Container image", "docker build"],
    ["Shell", "collector.sh"],
  ] as const) {
    await commands.getByRole("button", { name: way, exact: true }).click();
    await expect(commands.locator("pre").first()).toContainText(word);
  }
  const address = page.getByLabel("address of this server, as the nodes reach it");
  await address.fill("https://plumbline.example");
  await expect(commands.locator("pre").first()).toContainText(
    "curl -fsS https://plumbline.example/collector.sh",
  );
  await address.fill("https://a b");
  await expect(page.getByText("Expected an address such as")).toBeVisible();
  await address.fill("https://plumbline.example");

  await expectWithinReach(page);
});
