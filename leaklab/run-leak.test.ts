import { readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BANDS } from "#lib/domain/memory/bands.ts";
import { readBands, summarise } from "./bands.ts";
import { placeOf, ownBand, type Leak } from "./leak.ts";
import { LEAKS } from "./leak-catalogue.ts";
import { ownDevices } from "./leaks/loop-devices.ts";
import { ownSegments } from "./leaks/sysv-shm.ts";
import { changeText, middleOf, refusalOf, runLeak, tableRow } from "./run-leak.ts";

const mounts = readFileSync("/proc/self/mounts", "utf8");
const leakOf = (name: string) => {
  const leak = LEAKS.find((each) => each.name === name);
  if (leak === undefined) throw new RangeError(`no leak ${name}`);
  return leak;
};

describe("every leak", () => {
  it.each(LEAKS.map((leak) => [leak.name, leak] as const))("%s predicts a bounded size", (_, leak) => {
    expect(leak.count).toBeLessThanOrEqual(leak.most);
    const machine = { cpus: 2, availableKib: 8 * 1024 * 1024 };
    expect(refusalOf(leak, { count: leak.count, keep: false }, machine)).toBeUndefined();
    const one = Object.values(leak.predict(leak.count, 2)).reduce((sum, kib) => sum + kib, 0);
    expect(one).toBeGreaterThan(8 * 1024);
    expect(one).toBeLessThan(128 * 1024);
    expect(BANDS.map(({ key }) => key)).toContain(ownBand(leak.predict(1000, 2)));
  });

  it("has a name of its own", () => {
    expect(new Set(LEAKS.map(({ name }) => name)).size).toBe(LEAKS.length);
  });
});

describe("a run", () => {
  const threads = leakOf("threads");
  const machine = { cpus: 2, availableKib: 1024 * 1024 };
  it.each([
    [{ count: 100_000, keep: false }, /^at most 256 MiB$/],
    [{ count: 32, keep: true }, /--hold instead of --keep/],
    [{ count: 256, keep: false }, /more than the bound of 300 MiB/],
  ])("of %j threads is refused", (options, why) => {
    expect(refusalOf(threads, options, machine)).toMatch(why);
  });

  it("is refused where it would leave the machine too little", () => {
    const little = { cpus: 2, availableKib: 530 * 1024 };
    expect(refusalOf(threads, { count: 32, keep: false }, little)).toMatch(/512 MiB stay for the machine/);
  });

  it("moves its own band for real, says so, and leaves nothing", { timeout: 60_000 }, async () => {
    const said: string[] = [];
    const place = placeOf("tmpfs", mounts, `-test-${process.pid}`);
    const measure = await runLeak(leakOf("tmpfs"), place, {
      count: 32,
      holdMs: 0,
      paceMs: 30,
      keep: false,
      report: (line) => said.push(line),
      stop: new AbortController().signal,
    });
    // Others move the same counter meanwhile; most of it must be there all the same.
    expect(measure.moved.get("shmem")).toBeGreaterThan(32 * 1024 * 0.6);
    expect(said.join("\n")).toMatch(/made 32 MiB[^]*should move: shmem \+32768 KiB[^]*did move: .*shmem/);
    expect(await leakOf("tmpfs").clean(place)).toBe("");
  });

  it(
    "takes away what an earlier one left, and refuses beside one that runs",
    { timeout: 60_000 },
    async () => {
      const place = placeOf("tmpfs", mounts, `-kept-${process.pid}`);
      const options = { count: 8, holdMs: 0, paceMs: 10, stop: new AbortController().signal };
      const said: string[] = [];
      const report = (line: string) => said.push(line);
      const kept = await runLeak(leakOf("tmpfs"), place, { ...options, keep: true, report });
      expect(kept.leftKib).toBeUndefined();
      await expect(runLeak(leakOf("tmpfs"), place, { ...options, keep: false, report })).rejects.toThrow(
        /runs already/,
      );
      expect(await leakOf("tmpfs").clean(place)).toBe("files in memory");
      expect(await leakOf("tmpfs").clean(place)).toBe("");
      rmSync(place.state, { recursive: true });
    },
  );

  it("that fails half-way leaves nothing", async () => {
    let cleaned = 0;
    const broken: Leak = {
      ...leakOf("tmpfs"),
      start: () => Promise.reject(new Error("no more")),
      clean: async () => {
        cleaned += 1;
        return "";
      },
    };
    const place = placeOf("broken", mounts, `-${process.pid}`);
    const options = { count: 1, holdMs: 0, paceMs: 10, keep: false, report: () => undefined };
    await expect(runLeak(broken, place, { ...options, stop: new AbortController().signal })).rejects.toThrow(
      "no more",
    );
    expect(cleaned).toBe(2);
  });
});

describe("what is the lab's own", () => {
  it("is told by the key of a segment", () => {
    const text =
      "       key      shmid perms\n1347177728 5 1600\n1347177983 6 1600\n1347177984 7 600\n0 8 600\n";
    expect(ownSegments(text)).toEqual(["5", "6"]);
  });

  it("is told by the number of a device", () => {
    expect(ownDevices(["loop0", "loop7000", "loop7499", "loop7500", "loopx", "sda"], 500)).toEqual([
      7000, 7499,
    ]);
  });
});

describe("what is reported", () => {
  it("adds up: the bands of this machine sum to its memory", () => {
    const total = [...readBands().values()].reduce((sum, kib) => sum + kib, 0);
    expect(total).toBe(Number(/MemTotal: +(\d+)/.exec(readFileSync("/proc/meminfo", "utf8"))?.[1]));
  });

  it("is means and noise of bands that were always there", () => {
    const { meanKib, noiseKib } = summarise([
      new Map([
        ["shmem", 10],
        ["anon", 4],
      ]),
      new Map([["shmem", 14]]),
    ]);
    expect([...meanKib]).toEqual([["shmem", 12]]);
    expect([...noiseKib]).toEqual([["shmem", 4]]);
  });

  it("is the middle of several rounds, so that one in which others were busy does not count", () => {
    const round = (kib: number, leftKib: number) => ({
      made: 1,
      predicted: { sunrecl: 100 },
      moved: new Map([["sunrecl", kib]] as const),
      noise: new Map(),
      leftKib,
    });
    const { moved, noise, leftKib } = middleOf([round(9000, 3), round(98, 1), round(102, -400)]);
    expect([...moved]).toEqual([["sunrecl", 102]]);
    expect([...noise]).toEqual([["sunrecl", 4451]]);
    expect(leftKib).toBe(1);
  });

  it("is a line and a row, the largest first, without what every program moves", () => {
    const predicted = { sunrecl: 11_800, percpu: 3880 };
    const moved = new Map([
      ["sunrecl", 11_900.4],
      ["percpu", 3900],
      ["anon", 5000],
      ["ptables", -300],
      ["kstack", 16],
    ] as const);
    expect(changeText(new Map(Object.entries(predicted)))).toBe("sunrecl +11800 KiB, percpu +3880 KiB");
    const row = tableRow(
      { name: "x", unit: "things" },
      { made: 1000, predicted, moved, noise: new Map([["sunrecl", 40]]), leftKib: -3 },
    );
    expect(row).toBe(
      "| x | 1000 things | sunrecl | +11800 | +11900 | \u00b140 | percpu +3900 (+3880) | ptables \u2212300 \u00b10 | \u22123 |",
    );
  });
});
