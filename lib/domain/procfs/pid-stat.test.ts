import fc from "fast-check";
import { expect, it } from "vitest";
import { parsePidStat } from "./pid-stat.ts";

const after = "S 1 7 7 0 -1 4194560 100 0 0 0 12 34 0 0 20 0 1 0 987654 1000000 250";

it("counts fields from the last parenthesis, whatever the command is called", () => {
  for (const command of ["node", "a b", ") Z 1 (", "((", "tmux: server"]) {
    expect(parsePidStat(`42 (${command}) ${after}`).value).toEqual({
      state: "S",
      parentPid: 1,
      userTicks: 12,
      systemTicks: 34,
      startTicks: "987654",
    });
  }
});

it("says what is missing of a line that is cut, and throws at nothing", () => {
  const { value, warnings } = parsePidStat("42 (node) S 1 7", "/proc/42/stat");
  expect(value).toBeUndefined();
  expect(warnings[0]).toMatchObject({ path: "/proc/42/stat", lineNumber: 1 });
  fc.assert(fc.property(fc.string(), (text) => void parsePidStat(text)));
});
