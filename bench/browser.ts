import { chromium } from "@playwright/test";
import type { Figure } from "./figure.ts";
import type { Stack } from "../scripts/testing/stack.ts";
import { quantile } from "./statistics.ts";

const ROUNDS = 7;
const HOVER_MS = 3000;

/**
 * Node page with 30 days in headless Chromium: milliseconds until the chart answers a pointer, and frames a second
 * while the pointer moves over it.
 */
export async function measureNodePage(
  stack: Stack,
  nodeId: number,
  nowMs: number,
  executablePath: string,
): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const address = `${stack.server}/nodes/${nodeId}?from=${nowMs - 30 * 86_400_000}&to=${nowMs}`;
    const took: number[] = [];
    let frames: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      const since = performance.now();
      await page.goto(address, { waitUntil: "commit" });
      const chart = page.getByRole("slider", { name: /Time cursor/ });
      await chart.waitFor({ state: "visible" });
      const box = await chart.boundingBox();
      if (!box) throw new Error("the composition has no size");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page
        .getByText(/at cursor/i)
        .first()
        .waitFor({ state: "visible" });
      took.push(performance.now() - since);
      if (round === ROUNDS - 1) frames = await hover(page, box);
      await page.close();
    }
    return [
      {
        what: "node page, 30 d, first pointer answered",
        value: quantile(took, 0.5),
        unit: "ms",
        target: "<= 1500",
        dataset: `${ROUNDS} fresh pages, 1440 x 900, slowest ${Math.max(...took).toFixed(0)} ms`,
      },
      {
        what: "node page, hovering",
        value: (1000 * frames.length) / frames.reduce((sum, took) => sum + took, 0),
        unit: "frames/s",
        target: ">= 50",
        dataset: `${frames.length} frames, median ${quantile(frames, 0.5).toFixed(1)} ms, p95 ${quantile(frames, 0.95).toFixed(1)} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
}

/** As text: tsx marks the functions of its modules with a helper that the page does not have. */
const COLLECT_FRAMES = `new Promise((resolve) => {
  const took = [];
  const start = performance.now();
  let last = start;
  const step = (now) => {
    took.push(now - last);
    last = now;
    if (now - start < ${HOVER_MS}) requestAnimationFrame(step);
    else resolve(took.slice(2));
  };
  requestAnimationFrame(step);
})`;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof chromium.launch>>["newPage"]>>;

async function hover(
  page: Page,
  box: { x: number; y: number; width: number; height: number },
): Promise<number[]> {
  const frames = page.evaluate<number[]>(COLLECT_FRAMES);
  const until = Date.now() + HOVER_MS;
  for (let step = 0; Date.now() < until; step += 1) {
    await page.mouse.move(box.x + 60 + ((step * 7) % (box.width - 120)), box.y + box.height / 2);
  }
  return frames;
}
