import { describe, expect, it } from "vitest";

import { areOneMachine } from "../dumps/machines.ts";
import { readDump } from "../dumps/read-dump.ts";
import { evidenceFromDump } from "./evidence-from-dump.ts";
import { explainDump } from "./explain.ts";

const meminfo = (unreclaimable: number, total = 32_877_764) =>
  [
    `MemTotal: ${total} kB`,
    `MemFree: ${20_000_000 - unreclaimable} kB`,
    "Cached: 5212345 kB",
    "AnonPages: 4212345 kB",
    `SUnreclaim: ${unreclaimable} kB`,
  ].join("\n");
const AMOUNTS = [500_000, 1_000_000, 1_500_000];

/** The same three samples, each below, or behind, what tells its machine. */
const textOf = (host: (place: number) => string) =>
  AMOUNTS.map((each, place) => `${host(place)}\n${meminfo(each)}\n`).join("");
const changesOf = (text: string) => evidenceFromDump(readDump(text)).changes["meminfo.SUnreclaim"];

describe("several machines in one text", () => {
  const forms: readonly (readonly [string, (name: string) => string])[] = [
    ["a prompt", (name) => `[root@${name} ~]# cat /proc/meminfo`],
    ["a prompt with a colon", (name) => `root@${name}:~# cat /proc/meminfo`],
    ["a command that runs elsewhere", (name) => `me@desk:~$ ssh -p 22 ${name} cat /proc/meminfo`],
    ["a name between rulers", (name) => `===== ${name} =====`],
    ["a name below and above a ruler", (name) => `---------------\n${name}\n---------------`],
    ["a heading of ansible", (name) => `${name}.example.com | CHANGED | rc=0 >>`],
    ["a heading of parallel-ssh", (name) => `[1] 10:00:00 [SUCCESS] ${name}`],
    ["a name between arrows", (name) => `==> ${name} <==`],
    ["a folder between arrows", (name) => `==> ${name}/proc/meminfo <==`],
    ["a file called after it", (name) => `==> ./${name}.txt <==`],
  ];

  it.each(forms)("are told apart by %s", (_what, form) => {
    const text = textOf((place) => form(`node-${place}`));
    expect(changesOf(text)).toBeUndefined();
    expect(explainDump(text)).toMatchObject({ verdict: "unclear", suspects: [], unrecognised: [] });
    expect(explainDump(text).warnings[0]).toContain(
      "3 machines (node-0, node-1, node-2): only node-2 is judged",
    );
    expect(readDump(text).keyNumbers.get("SUnreclaim@node-1")).toBe(1_000_000);
  });

  it.each(forms)("are one where %s stays the same", (_what, form) => {
    expect(changesOf(textOf(() => form("node-0")))).toMatchObject({ first: 500_000, last: 1_500_000 });
  });

  it("are told apart by names before the lines, which may alternate", () => {
    const [a = [], b = []] = AMOUNTS.map((each) => meminfo(each).split("\n"));
    const text = a.map((line, place) => `node-a: ${line}\nnode-b: ${b[place] ?? ""}\n`).join("");
    expect(changesOf(text)).toBeUndefined();
    expect(Object.fromEntries(readDump(text).keyNumbers)).toMatchObject({
      "SUnreclaim@node-a": 500_000,
      "SUnreclaim@node-b": 1_000_000,
    });
  });

  it("are told apart by names before a table whose head has the name too", () => {
    const free = (name: string, used: number) =>
      `${name}:          total        used        free      shared  buff/cache   available\n` +
      `${name}: Mem:   3862616     ${used}     306520      148232      964400     1045204\n`;
    const { hosts, samples } = readDump(
      `me@desk:~$ pdsh free -k\n${free("n1", 1_000_000)}${free("n2", 2_000_000)}`,
    );
    expect(hosts).toEqual(["n1", "n2"]);
    expect(areOneMachine(samples)).toBe(false);
  });

  it("are judged as the one of which most is known, over its own time", () => {
    const more = textOf(() => "root@node-1:~# cat /proc/meminfo");
    const text = `${more}root@node-2:~# cat /proc/meminfo\nMemTotal: 9 kB\n`;
    expect(readDump(text)).toMatchObject({ judgedHost: "node-1", hosts: ["node-1", "node-2"] });
    expect(changesOf(text)).toMatchObject({ first: 500_000, last: 1_500_000 });
  });

  it("are seen where the amount of memory differs", () => {
    const text = `${meminfo(500_000)}\n\n${meminfo(1_500_000, 65_000_000)}\n`;
    expect(areOneMachine(readDump(text).samples)).toBe(false);
    expect(readDump(text).warnings.join()).toContain("MemTotal differs");
    // A little was hotplugged, or the machine is named.
    expect(areOneMachine(readDump(`${meminfo(1)}\n\n${meminfo(2, 33_000_000)}\n`).samples)).toBe(true);
    const named = (each: string) => `root@node-1:~# cat /proc/meminfo\n${each}\n`;
    expect(areOneMachine(readDump(named(meminfo(1)) + named(meminfo(2, 65_000_000))).samples)).toBe(true);
  });

  it("are told apart by names that kubectl logs and docker compose put before lines", () => {
    const lines = (form: (line: string) => string, amount = 0) =>
      `${meminfo(amount).split("\n").map(form).join("\n")}\n`;
    const pods = ["a", "b"].map((name) => lines((line) => `[pod/agent-${name}/agent] ${line}`)).join("");
    expect(readDump(pods).hosts).toEqual(["agent-a", "agent-b"]);
    const services = ["a", "b"].map((name) => lines((line) => `agent-${name}  | ${line}`)).join("");
    expect(readDump(services).hosts).toEqual(["agent-a", "agent-b"]);
  });

  it("are not seen in the names of kernel files between arrows", () => {
    const files = ["meminfo", "key-users", "proc/stat", "memory.stat", "report.md"];
    const text = files.map((name) => `==> ${name} <==\n${meminfo(500_000)}\n`).join("\n");
    expect(readDump(text).hosts).toEqual([]);
  });

  it("or states of one have what stands under their captions, and the one called bad is judged", () => {
    const slab = (objects: number) =>
      `kmalloc-64 ${objects} ${objects} 64 64 1 : tunables 0 0 0 : slabdata ${objects / 64} ${objects / 64} 0\n`;
    const text = `Bad node:\n$ cat /proc/meminfo\n${meminfo(1_500_000)}\n${slab(6400)}\nhealthy node\n${meminfo(500_000)}\n${slab(64_000_000)}`;
    expect(readDump(text)).toMatchObject({ hosts: ["Bad node", "healthy node"], judgedHost: "Bad node" });
    const { levels, changes } = evidenceFromDump(readDump(text));
    expect(levels["slab.kmalloc-64.objects"]).toBe(6400);
    expect(changes).toEqual({});
  });

  it.each(["before", "day 2", "2026-11-30", "sample-2", "meminfo.2.txt"])(
    "are not seen in a name between rulers that tells no machine: %s",
    (name) => {
      const text = textOf((place) => `===== ${place === 1 ? name : "after"} =====`);
      expect(readDump(text).hosts).toEqual([]);
      expect(changesOf(text)).toMatchObject({ samples: 3 });
    },
  );
});

describe("captions that name moments", () => {
  it.each([
    ["Before:", "After:"],
    ["## Before restart", "## After restart"],
    ["**Before:**\n$ cat /proc/meminfo", "**2 days later:**\n$ cat /proc/meminfo"],
    ["=== before ===", "=== after ==="],
    ["==> before.txt <==", "==> after.txt <=="],
    ["day 1", "day 2"],
    ["at 9:30", "at 16:00"],
    ["10am:", "4 pm:"],
    ["first sample", "second sample"],
  ])("%s and %s are one machine over time, in whatever order they stand", (first, second) => {
    const before = `${first}\n${meminfo(500_000)}\n`;
    const after = `${second}\n${meminfo(1_500_000)}\n`;
    for (const text of [`${before}\n${after}`, `${after}\n${before}`]) {
      expect(changesOf(text), text).toMatchObject({ first: 500_000, last: 1_500_000 });
      expect(readDump(text).unrecognised).toEqual([]);
    }
    expect(readDump(`${before}\n${after}`).warnings.join()).not.toContain("captions");
  });

  it("tell how long it took where they say it", () => {
    expect(changesOf(`day 1\n${meminfo(500_000)}\nday 4\n${meminfo(1_500_000)}`)?.hours).toBe(72);
    expect(changesOf(`Monday:\n${meminfo(500_000)}\nFriday:\n${meminfo(1_500_000)}`)?.hours).toBeUndefined();
  });
});
