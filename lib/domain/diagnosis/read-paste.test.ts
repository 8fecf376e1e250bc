import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { explainDump } from "./explain.ts";
import { explanationToText } from "./explanation-text.ts";
import { readPaste } from "./read-paste.ts";

const meminfo = (free: number) =>
  `MemTotal: 100000 kB\nMemFree: ${free} kB\nBuffers: 1 kB\nCached: 2 kB\nAnonPages: 3 kB\nPageTables: 4 kB\n`;
const at = (hour: number, free: number) =>
  `# date -u\n2026-11-30T${String(hour).padStart(2, "0")}:00:00Z\n# cat /proc/meminfo\n${meminfo(free)}`;

describe("readPaste", () => {
  it("says what explain says, of a text without its last line end too", () => {
    const text = readFileSync("fixtures/cases/078-healthy-baseline-8g/input.txt", "utf8").trimEnd();
    const { explanation, printed } = readPaste(text);
    expect(explanation).toEqual(explainDump(`${text}\n`));
    expect(printed).toBe(explanationToText(explanation));
    expect(readPaste("Percpu: 17 kB\nSlab: 12").explanation.keyNumbers).toEqual({ Percpu: 17, Slab: 12 });
  });

  it("puts samples in the order of their times", () => {
    const { samples, oneMachine } = readPaste([at(6, 500), at(4, 700), at(5, 600)].join("\n"));
    expect(oneMachine).toBe(true);
    expect(samples.map(({ name, hours }) => [name.slice(11, 16), hours])).toEqual([
      ["04:00", 0],
      ["05:00", 1],
      ["06:00", 2],
    ]);
  });

  it("composes the newest sample by time, not the last of the text", () => {
    const { explanation } = readPaste([at(6, 500), at(4, 700), at(5, 600)].join("\n"));
    expect(explanation.composition?.bands[0]).toMatchObject({ key: "free", kib: 500 });
    // Without times the last of the text is all that is known.
    expect(readPaste(meminfo(500) + "\n" + meminfo(700)).explanation.composition?.bands[0]?.kib).toBe(700);
  });

  it("thins many samples out, the first and the last staying", () => {
    const { samples } = readPaste(Array.from({ length: 450 }, (_, index) => meminfo(index + 1)).join("\n"));
    const frees = samples.map(({ composition }) => composition.bands[0]?.kib);
    expect(frees).toHaveLength(200);
    expect([frees[0], frees.at(-1)]).toEqual([1, 450]);
  });

  it("tells a whole snapshot, and what one lacks", () => {
    const whole = [
      `==> /proc/meminfo <==\n${meminfo(7)}`,
      "==> uptime <==\n12.00 3.00\n",
      "==> /host/proc/stat <==\ncpu0 1 2 3\nprocesses 9\n",
      "==> /proc/sys/kernel/random/boot_id <==\n0b1d0f6a-3c1e-4a57-9d4e-5f4c2a9b7e11\n",
      "==> /proc/sys/kernel/osrelease <==\n6.1.0\n",
    ];
    expect(readPaste(whole.join("\n")).snapshots).toEqual({ count: 1, timed: false, fault: undefined });
    expect(readPaste(whole.slice(0, 3).join("\n")).snapshots.fault).toContain("boot_id");
    expect(readPaste(meminfo(7)).snapshots).toMatchObject({ count: 0, timed: false });
  });
});
