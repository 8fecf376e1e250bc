import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readDump } from "../dumps/read-dump.ts";
import { createRedactor, redactText } from "./redact-text.ts";

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

describe("createRedactor", () => {
  it("numbers known nodes in their order, and takes a short name for the same machine", () => {
    const redactor = createRedactor();
    for (const name of ["b.corp.example", "alpha", 'odd "name" (1)']) redactor.know("node", name);
    redactor.know("user", "Ada Root");
    redactor.know("user", "carla");
    redactor.learn("dora@alpha:~$ true");
    expect(
      redactor.redact('Ada Root, carla and dora on alpha, b.corp.example and odd "name" (1); 10.1.2.3'),
    ).toBe("user-1, user-2 and user-3 on node-2, node-1 and node-3; 192.0.2.1");
    expect(redactor.redact("b.corp.example:10.1.2.3 alphabet Ada-Root carla's")).toBe(
      "node-1:192.0.2.1 alphabet Ada-Root user-2's",
    );
    expect(redactor.replacements()[0]).toEqual({ kind: "user", from: "Ada Root", to: "user-1", count: 1 });
  });

  it("knows names in any case as the same, and leaves the kernel's words alone", () => {
    const redactor = createRedactor();
    for (const name of ["SecretHost2", "vm"]) redactor.know("node", name);
    for (const name of ["Nviewer", "Ada Root"]) redactor.know("user", name);
    expect(redactor.redact("SECRETHOST2 secrethost2.corp NVIEWER nviewer ADA ROOT ada root VM vm-3")).toBe(
      "node-1 node-1.corp user-1 user-1 user-2 user-2 node-2 node-2-3",
    );
    expect(redactor.redact("total-vm:8231412kB, anon-rss:6120000kB")).toBe(
      "total-vm:8231412kB, anon-rss:6120000kB",
    );
    // Found in a text, not known: spelt otherwise it is another word.
    redactor.learn("active@alpha:~$ true");
    expect(redactor.redact("Active(anon): 12 kB")).toBe("Active(anon): 12 kB");
  });

  it("finds nodes within words and before their domain, and machines that are named by their address", () => {
    const redactor = createRedactor();
    redactor.know("node", "db1");
    redactor.know("user", "slab");
    redactor.know("user", "Jose\u0301 Diaz");
    redactor.learn("ip-10-20-30-40.eu-west-1.compute.internal is away");
    expect(
      redactor.redact(
        "db1_eth0 x_db1 db1.acme-bank.com, db1.acme-bank.com. db1.log slab_unreclaimable Jos\u00e9 Diaz ip-10-20-30-40.eu-west-1.compute.internal",
      ),
    ).toBe("node-1_eth0 x_node-1 node-1, node-1. node-1.log slab_unreclaimable user-1 host-1");
  });

  it("replaces clusters, labels and ids that name one pod, container or machine", () => {
    const redactor = createRedactor();
    redactor.know("node", "athena-7");
    for (const name of ["athena", "Blue Team"]) redactor.know("cluster", name);
    for (const name of ["athena-7", "r17-berlin", "Blue team", "1"]) redactor.know("label", name);
    const pod = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
    const container = "a3".repeat(32);
    expect(
      redactor
        .redact(
          [
            "Athena-7 of athena, Blue Team, r17-berlin, 1 of 2",
            `/kubepods/burstable/pod${pod}/${container} ${pod.toUpperCase()}`,
            `kubepods-burstable-pod${pod.replaceAll("-", "_")}.slice/crio-${container}.scope`,
            `0x${"f".repeat(32)} ${"f".repeat(33)}`,
          ].join("\n"),
        )
        .split("\n"),
    ).toEqual([
      "node-1 of cluster-1, cluster-2, label-1, 1 of 2",
      `/kubepods/burstable/pod00000000-0000-0000-0000-000000000001/${"2".padStart(64, "0")} 00000000-0000-0000-0000-000000000001`,
      `kubepods-burstable-pod00000000_0000_0000_0000_000000000001.slice/crio-${"2".padStart(64, "0")}.scope`,
      `0x${"f".repeat(32)} ${"f".repeat(33)}`,
    ]);
  });

  it("leaves no known name in any text around it", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 3, maxLength: 20 })
      .filter((each) => /\p{L}{3}/u.test(each));
    fc.assert(
      fc.property(name, fc.constantFrom(" ", ", ", "\n", "(", "/"), (known, gap) => {
        const redactor = createRedactor();
        redactor.know("node", known.replaceAll("\n", " "));
        const [, found] =
          redactor.redact(`x${gap}${known.replaceAll("\n", " ")}${gap}x`).match(/(node-1)/) ?? [];
        expect(found).toBe("node-1");
      }),
    );
  });
});
