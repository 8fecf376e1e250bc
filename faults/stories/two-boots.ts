import { annotationList } from "#lib/contracts/annotation.ts";
import { compositionSeries } from "#lib/contracts/series.ts";
import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { findNode, readJson } from "../api.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";

const NODE = "two-machines";
const SAMPLES = 40;
const STEP_MS = 5000;

export const twoBoots: Story = {
  name: "two-boots",
  about: "two machines report under one name",
  async run({ stack, report }) {
    const write = stack.issueToken(["snapshots:write"]);
    const read = stack.issueToken(["read"]);
    const base = realSnapshot();
    const startMs = Math.floor(Date.now() / STEP_MS) * STEP_MS - SAMPLES * STEP_MS;
    const totals = { "boot-a": 4_000_000, "boot-b": 8_000_000 };
    for (let index = 0; index < SAMPLES; index += 1) {
      const bootId = index % 2 === 0 ? "boot-a" : "boot-b";
      const snapshot = snapshotOf(base, {
        node: NODE,
        at: startMs + index * STEP_MS,
        bootId,
        bootedAtMs: startMs - (bootId === "boot-a" ? 7_200_000 : 3_600_000),
      });
      const meminfo = { ...base.meminfo, MemTotal: totals[bootId] };
      const { accepted } = receiptOf(await push(stack.server, write, [{ ...snapshot, meminfo }]));
      if (accepted !== 1) throw new Error(`sample ${index} was not accepted`);
    }
    const node = await findNode(stack.server, read, NODE);
    if (node === undefined) throw new Error("the node is not listed");
    report.check("the node is flagged", node.conflict);
    const window = `from=${startMs - 60_000}&to=${Date.now()}`;
    const { annotations } = annotationList.parse(
      await readJson(stack.server, read, `/api/v1/annotations?${window}&nodeId=${node.nodeId}`),
    );
    const conflicts = annotations.filter(({ kind }) => kind === "boot-conflict");
    report.check("one mark says so", conflicts.length === 1, conflicts[0]?.title);
    report.check(
      "a conflict is not taken for reboots",
      annotations.every(({ kind }) => kind !== "reboot"),
    );
    for (const points of [2000, 10]) {
      const path = `/api/v1/nodes/${node.nodeId}/composition?${window}&points=${points}`;
      const series = compositionSeries.parse(await readJson(stack.server, read, path));
      const mixed = series.totalKib.filter(
        (total) => total !== null && !Object.values(totals).includes(total),
      );
      report.check(
        `of ${points} points none mixes the two`,
        series.timesMs.length > 0 && mixed.length === 0,
        `${series.timesMs.length} points, ${mixed.length} mixed`,
      );
    }
    report.check(
      "the newer boot stands for the node",
      node.bootId === "boot-b" && node.memTotalKib === totals["boot-b"],
    );
  },
};
