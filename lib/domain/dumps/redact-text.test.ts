import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readDump } from "./read-dump.ts";
import { redactText } from "./redact-text.ts";

const redact = (text: string) => redactText(text).text;

describe("redactText", () => {
  it("replaces hosts, users and addresses, the same for the same", () => {
    expect(
      redact(
        [
          "anna@node-7.corp.example:~$ ssh bob@10.1.2.3",
          "Nov 30 04:15:00 node-7 kernel: eth0: 10.1.2.3 and 10.1.2.4, 52:54:00:ab:cd:ef, fe80::5054:ff:feab:cdef",
          "Linux node-7.corp.example 4.18.0-305.el8.x86_64 #1 SMP",
          "see /home/anna/node-7-eth0.log of node-7",
        ].join("\n"),
      ).split("\n"),
    ).toEqual([
      "user-1@host-1:~$ ssh user-2@192.0.2.1",
      "Nov 30 04:15:00 host-2 kernel: eth0: 192.0.2.1 and 192.0.2.2, 02:00:00:00:00:01, 2001:db8::1",
      "Linux host-1 4.18.0-305.el8.x86_64 #1 SMP",
      "see /home/user-1/host-2-eth0.log of host-2",
    ]);
  });

  it("replaces first columns of tables, and owners", () => {
    expect(
      redact(
        [
          "NAME          CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%",
          "blue-worker   210m         5%     4096Mi          51%",
          "",
          "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND",
          "carla     1234  0.0  0.1   5000  1000 ?        S    04:15   0:00 bash",
          "root         1  0.0  0.1   5000  1000 ?        S    04:15   0:00 init",
          "",
          "-rw-r--r-- 1 carla staff 12 Nov 30 04:15 x",
        ].join("\n"),
      ).split("\n"),
    ).toEqual([
      "NAME          CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%",
      "host-1   210m         5%     4096Mi          51%",
      "",
      "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND",
      "user-1     1234  0.0  0.1   5000  1000 ?        S    04:15   0:00 bash",
      "root         1  0.0  0.1   5000  1000 ?        S    04:15   0:00 init",
      "",
      "-rw-r--r-- 1 user-1 user-2 12 Nov 30 04:15 x",
    ]);
  });

  it("leaves times, versions, loopback and the kernel's own words", () => {
    const text =
      "04:15:00 up 6 days; 127.0.0.1 ::1 0.0.0.0; 999.1.2.3; root@localhost:/# 4.18.0-305.1.2.el8\n";
    expect(redactText(text)).toEqual({ text, replacements: [] });
  });

  it("says what it replaced, how often", () => {
    expect(redactText("eva@alpha:~$ hostname\nalpha\n").replacements).toEqual([
      { kind: "user", from: "eva", to: "user-1", count: 1 },
      { kind: "host", from: "alpha", to: "host-1", count: 2 },
    ]);
  });

  it("changes no number of a real dump", () => {
    for (const name of readdirSync("fixtures/cases")) {
      const text = readFileSync(`fixtures/cases/${name}/input.txt`, "utf8");
      const numbers = (each: string) => [...readDump(each).keyNumbers.values()];
      expect(numbers(redact(text)), name).toEqual(numbers(text));
    }
  });

  it("takes any text, and once is enough for names and addresses of its own", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const once = redactText(text);
        expect(once.text.split("\n")).toHaveLength(text.split("\n").length);
      }),
    );
  });
});
