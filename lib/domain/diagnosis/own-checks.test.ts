import { describe, expect, it } from "vitest";

import { readDump } from "../dumps/read-dump.ts";
import { evidenceFromDump } from "./evidence-from-dump.ts";

const read = (text: string) => {
  const reading = readDump(text);
  return { levels: evidenceFromDump(reading).levels, unrecognised: reading.unrecognised };
};

describe("what the checks of signatures print", () => {
  it.each([
    [
      "page tables of the largest processes",
      "$ grep -H VmPTE /proc/[0-9]*/status | sort -t: -k3 -rn | head\n/proc/812/status:VmPTE:\t 1234567 kB\n/proc/813/status:VmPTE:\t 433 kB\n",
      { "process.ptes.kib": 1_235_000 },
    ],
    [
      "threads of all processes",
      "$ grep -H ^Threads /proc/[0-9]*/status\n/proc/812/status:Threads:\t31234\n/proc/9/status:Threads:\t6\n",
      { "tasks.threads": 31_240 },
    ],
    [
      "threads of some processes, which are no sum",
      "$ grep -H ^Threads /proc/[0-9]*/status | sort -k2 -rn | head\n/proc/812/status:Threads:\t31234\n/proc/9/status:Threads:\t6\n",
      {},
    ],
    [
      "threads and zombies",
      "$ ps -eL | wc -l; ps -eo stat | grep -c ^Z\n1235\n31000\n",
      { "tasks.threads": 1234, "tasks.zombies": 31_000 },
    ],
    [
      "states of processes",
      "$ ps -eo stat | sort | uniq -c | sort -rn\n  31234 Z\n    212 S\n     14 Ss\n      2 Z+\n      1 R+\n",
      { "tasks.zombies": 31_236 },
    ],
    [
      "states of which some are left out",
      "$ ps -eo stat | sort | uniq -c | sort -rn | head -1\n    212 S\n",
      {},
    ],
    [
      "files, and a count of something else",
      "$ crictl ps -a -q | wc -l; ls /run/crio/exits | wc -l\n213\n41234\n",
      { "watch./run/crio/exits.files": 41_234 },
    ],
  ])("is read: %s", (_what, text, levels) => {
    expect(read(text)).toEqual({ levels, unrecognised: [] });
  });

  it("gives no page tables from the status of one process", () => {
    expect(
      read("$ cat /proc/812/status\nVmSize:\t 9000 kB\nVmRSS:\t 800 kB\nVmPTE:\t 70 kB\nThreads:\t4\n")
        .levels,
    ).toEqual({});
  });
});
