import { realSnapshot } from "../../scripts/testing/real-snapshot.ts";
import { call, findNode, send } from "../api.ts";
import { push, receiptOf, snapshotOf } from "../push.ts";
import type { Story } from "../report.ts";

const NAMES = [
  '<script>alert("1")</script>',
  "\"><img src=x onerror=alert('1')>",
  '\'; drop table "Node"; --',
  "🧯 rack-7 👩‍👩‍👧‍👦",
  "\u202Eevil-rtl\u202C",
  "اسم-العقدة",
  "two\nlines\r\nand\ttabs",
  "back\\slash \"quoted\" 'quoted' `tick` ${x} {{y}} %s %00",
  "../../etc/passwd",
  " leading and trailing ",
  "__proto__",
  "null",
  "{a,b}",
  "é decomposed e\u0301",
  "\u0001\u001b[31mred\u007f",
  "\u2028separator\u2029",
  "界".repeat(253),
  "x".repeat(253),
];

export const hostileNames: Story = {
  name: "hostile-names",
  about: "names of nodes and marks of any characters",
  async run({ stack, report }) {
    const write = stack.issueToken(["snapshots:write"], "names");
    const read = stack.issueToken(["read", "annotations:write"], "names");
    const base = realSnapshot();
    const nowMs = Date.now();
    const snapshots = NAMES.map((node, index) =>
      snapshotOf(base, { node, at: nowMs, bootId: `boot-${index}`, bootedAtMs: nowMs - 3_600_000 }),
    );
    const { accepted } = receiptOf(await push(stack.server, write, snapshots));
    report.check("all are stored", accepted === NAMES.length, `${accepted} of ${NAMES.length}`);
    const wrong: string[] = [];
    const failing: string[] = [];
    for (const name of NAMES) {
      const node = await findNode(stack.server, read, name);
      if (node === undefined) {
        wrong.push(JSON.stringify(name.slice(0, 40)));
        continue;
      }
      for (const path of [`/nodes/${node.nodeId}`, "/"]) {
        const page = await call(stack.server, path);
        if (page.status !== 200) failing.push(`${path} ${page.status}`);
        if (page.text.includes("<script>alert(") || page.text.includes("<img src=x"))
          failing.push(`${path}: unescaped`);
      }
    }
    report.check("each comes back as it was sent", wrong.length === 0, wrong.join(", "));
    report.check("pages show them and run none", failing.length === 0, failing.join(", "));
    const metrics = await call(stack.server, "/metrics", { token: read });
    report.check(
      "the Prometheus text stays one sample a line",
      metrics.status === 200 &&
        metrics.text.split("\n").every((line) => line === "" || /^(#|[a-z0-9_]+[{ ])/i.test(line)),
      `${metrics.status}`,
    );

    const text = NAMES.join(" ");
    const made = await send(stack.server, read, "/api/v1/annotations", {
      at: nowMs,
      kind: "note",
      title: NAMES[0],
      text,
      tags: ["<b>", "'\"", "🧯"],
      scope: { nodes: [{ cluster: "names", name: NAMES[0] }] },
    });
    const mark =
      made.status === 201
        ? (JSON.parse(made.text) as { title: string; text: string; nodeIds: number[] })
        : undefined;
    report.check(
      "a hostile mark comes back as it was sent",
      mark?.title === NAMES[0] && mark?.text === text && mark.nodeIds.length === 1,
      `${made.status}`,
    );
  },
};
