/**
 * `npm run faults`: breaks the built product on purpose and checks what must hold then, each story against a private
 * stack. `-- outage access` chooses stories, `--outage 20s` shortens the outage. Exits 1 when anything does not hold.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { startStack } from "../scripts/testing/stack.ts";
import { createReport, type Story } from "./report.ts";
import { access } from "./stories/access.ts";
import { clocks } from "./stories/clocks.ts";
import { databaseKilled } from "./stories/database-killed.ts";
import { hostileBodies } from "./stories/hostile-bodies.ts";
import { hostileHttp } from "./stories/hostile-http.ts";
import { hostileNames } from "./stories/hostile-names.ts";
import { hostileQueries } from "./stories/hostile-queries.ts";
import { ordinaryUser } from "./stories/ordinary-user.ts";
import { outage } from "./stories/outage.ts";
import { partsKilled } from "./stories/parts-killed.ts";
import { twoBoots } from "./stories/two-boots.ts";

/** `access` last: it uses up the patience that the server has with wrong tokens. */
const STORIES: readonly Story[] = [
  outage,
  databaseKilled,
  partsKilled,
  ordinaryUser,
  twoBoots,
  clocks,
  hostileBodies,
  hostileNames,
  hostileQueries,
  hostileHttp,
  access,
];

function readOutage(text: string): number {
  const match = /^(\d{1,4})(s|m)$/.exec(text);
  if (!match) throw new Error(`--outage ${text}: expected a time such as 20s or 2m`);
  return Number(match[1]) * (match[2] === "m" ? 60_000 : 1000);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { outage: { type: "string", default: "2m" } },
});
const unknown = positionals.find((name) => !STORIES.some((story) => story.name === name));
if (unknown !== undefined) {
  throw new Error(`unknown story ${unknown}; there are ${STORIES.map(({ name }) => name).join(", ")}`);
}
if (!existsSync("dist/up.mjs")) throw new Error("nothing is built: npm run build first");

const report = createReport();
const outageMs = readOutage(values.outage);
const stack = await startStack();
try {
  for (const story of STORIES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    console.log(`\n${story.name}: ${story.about}`);
    try {
      await story.run({ stack, report, outageMs });
    } catch (error) {
      report.check(
        `${story.name} runs to its end`,
        false,
        error instanceof Error ? error.stack : String(error),
      );
      console.log(stack.said());
      await stack.untilReady();
    }
  }
} finally {
  await stack.stop();
}
console.log(`\n${report.passed} passed, ${report.failed.length} failed`);
for (const each of report.failed) console.log(`FAIL ${each}`);
process.exitCode = report.failed.length === 0 ? 0 : 1;
