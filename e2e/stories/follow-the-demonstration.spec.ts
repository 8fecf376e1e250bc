import { startStack } from "../../scripts/testing/stack.ts";
import { axeFaults } from "../pages/axe-faults.ts";
import { NodePage } from "../pages/node-page.ts";
import { expect, test } from "../story.ts";

interface Step {
  /** The link on the page of stories. */
  readonly link: string;
  /** What the view must say somewhere. */
  readonly says: readonly RegExp[];
  /** A mark, and what its row must say of it. */
  readonly verdict?: readonly [mark: string, words: RegExp];
}

/** What each step of the stories must show, in the words of the pages. */
const STEPS: readonly Step[] = [
  { link: "Which nodes leak, and which dies next", says: [/w02 runs out of memory/] },
  { link: "What smem said at 04:00", says: [/22,368,844/, /1,735,176/, /24,104,020/] },
  { link: "CRI-O restarted: no effect", says: [], verdict: ["CRI-O restarted", /no effect/] },
  {
    link: "pull-monitor stopped at 04:15 GMT",
    says: [/stopped, memory not given back/],
    verdict: ["pull-monitor stopped at 04:15 GMT", /stopped, memory not given back/],
  },
  {
    link: "Exit files removed",
    says: [/freed 7\.\d+ GiB at once/],
    verdict: ["Exit files removed", /freed 7\.\d+\sGiB/],
  },
  {
    link: "The cure: a newer CRI-O, against a node without it",
    says: [/less than side A in unreclaimable kernel memory/],
  },
  { link: "Which node runs out of ids next", says: [/out of cgroup ids/, /memory-cgroup ids/] },
  {
    link: "The node where no pod starts any more",
    says: [/65,535 of 65,535 memory-cgroup ids are held/],
  },
  { link: "What leaking nodes have in common", says: [/runc 1\.0\.0-rc5: \d of \d leak/] },
  { link: "kubelet restarted: no effect", says: [], verdict: ["kubelet restarted", /no effect/] },
  {
    link: "runc replaced, pods not yet made anew",
    says: [],
    verdict: ["runc replaced by 1.0.0-rc94", /slowed/],
  },
  {
    link: "Pods recreated",
    says: [/stopped, memory not given back/],
    verdict: ["Pods recreated", /stopped, memory not given back/],
  },
  {
    link: "A node that had run out, rebooted",
    says: [],
    verdict: ["Rebooted, pods recreated", /freed \d+\.\d+\sGiB/],
  },
  { link: "A week of a busy node", says: [/flat/] },
];

test("one click leads through each history of the demonstration", async ({ page }) => {
  // A server of its own starts, and is filled, within this.
  test.setTimeout(600_000);
  const demo = await startStack({ PLUMBLINE_DEMO: "small" });
  try {
    await page.goto(`${demo.server}/stories`);
    expect(await axeFaults(page)).toEqual([]);
    const links = page.getByRole("main").getByRole("list").getByRole("link");
    await expect(links).toHaveText(STEPS.map(({ link }) => link));
    for (const { link, says, verdict } of STEPS) {
      await page.goto(`${demo.server}/stories`);
      await page.getByRole("link", { name: link, exact: true }).click();
      const main = page.getByRole("main");
      for (const text of says) await expect(main, link).toContainText(text);
      await expect(main.getByText(/simulated/i).first(), link).toBeVisible();
      if (verdict !== undefined) {
        const [mark, words] = verdict;
        await expect(new NodePage(page).effectOf(mark), link).toContainText(words);
      }
    }
    // Nothing of a narrower page is covered or cut off at the right.
    await page.goto(`${demo.server}/stories`);
    await page.getByRole("link", { name: "pull-monitor stopped at 04:15 GMT", exact: true }).click();
    const effects = page.getByRole("group", { name: "Effects of the marks" });
    await expect(effects).toBeVisible();
    for (const width of [1280, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const hidden = () => effects.evaluate((each) => each.scrollWidth - each.clientWidth);
      await expect.poll(hidden, { message: `${width} px` }).toBeLessThanOrEqual(1);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    const navigation = page.getByRole("navigation", { name: "Main" });
    const api = await navigation.getByRole("link", { name: "API" }).boundingBox();
    const badge = await page.getByRole("banner").getByText("demo", { exact: true }).boundingBox();
    expect((api?.x ?? 0) + (api?.width ?? Infinity)).toBeLessThanOrEqual(badge?.x ?? 0);

    const answer = await fetch(`${demo.server}/api/v1/nodes`);
    const { nodes } = (await answer.json()) as { nodes: { simulated: boolean; silent: boolean }[] };
    expect(nodes.length).toBeGreaterThan(15);
    expect(nodes.every(({ simulated, silent }) => simulated && !silent)).toBe(true);
  } finally {
    await page.close();
    await demo.stop();
  }
});
