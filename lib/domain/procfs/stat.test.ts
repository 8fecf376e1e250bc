import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseStat } from "./stat.ts";

describe("parseStat", () => {
  it("reads a 6.18 kernel", () => {
    const text = readTreeFile("6.18-debian12-x86_64", "proc/stat") ?? "";
    const { value, warnings } = parseStat(text);
    expect(warnings).toEqual([]);
    expect(value.cpus).toBe(2);
    expect(value.cpuTicks).toHaveLength(10);
    expect([...value.values.keys()]).toEqual([
      "ctxt",
      "btime",
      "processes",
      "procs_running",
      "procs_blocked",
    ]);
    expect(value.processes).toBe(Number(/^processes (\d+)$/m.exec(text)?.[1]));
    expect(value.btimeSeconds).toBe(Number(/^btime (\d+)$/m.exec(text)?.[1]));
  });

  it("does not know what is not there", () => {
    expect(parseStat("").value).toMatchObject({
      cpus: undefined,
      processes: undefined,
      btimeSeconds: undefined,
    });
  });

  it("leaves out a cut last number and lines it cannot read", () => {
    const { value, warnings } = parseStat("ctxt x\nbtime 5\nbtime 6\nnew 1 2\nprocesses 12");
    expect([...value.values]).toEqual([["btime", 5]]);
    expect(warnings.map((each) => each.lineNumber)).toEqual([1, 3, 4, 5]);
  });
});
