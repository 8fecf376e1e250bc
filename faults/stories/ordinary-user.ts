import { findNode, eventually } from "../api.ts";
import { startCollector } from "../collectors.ts";
import type { Story } from "../report.ts";

/** `nobody` on Debian and most others. */
const NOBODY = 65_534;

export const ordinaryUser: Story = {
  name: "ordinary-user",
  about: "the collector runs without rights",
  async run({ stack, report }) {
    if (process.getuid?.() !== 0) {
      report.step("not root: the collectors of the other stories are ordinary users already");
    }
    const write = stack.issueToken(["snapshots:write"]);
    const read = stack.issueToken(["read"]);
    const collector = startCollector(stack, write, {
      node: "ordinary-user",
      interval: "1s",
      push: "1s",
      ...(process.getuid?.() === 0 && { uid: NOBODY }),
    });
    try {
      const node = await eventually(() => findNode(stack.server, read, "ordinary-user"), 30_000);
      report.check("its snapshots arrive", node !== undefined);
      if (node === undefined) return report.step(collector.said());
      const denied = Object.entries(node.sources)
        .filter(([, { status }]) => status === "denied")
        .map(([name]) => name);
      report.step(`denied: ${denied.join(", ")}; blind: ${node.blindSources.join(", ")}`);
      report.check(
        "what it may not read is named, slabinfo among it",
        denied.some((name) => name.includes("slabinfo")) &&
          denied.every((name) => node.blindSources.includes(name)),
      );
      report.check(
        "what it may read is there",
        node.memTotalKib > 0 && node.kernelUnreclaimableKib !== null && node.sources.meminfo?.status === "ok",
      );
    } finally {
      await collector.stop();
    }
  },
};
