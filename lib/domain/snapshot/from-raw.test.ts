import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  RAW_SECTIONS,
  fixtureTrees,
  goldenSnapshot,
  rawBodyOfTree,
  readMalformed,
} from "../../../scripts/testing/fixture-trees.ts";
import { readRawSample } from "./from-raw.ts";
import { splitRawText } from "./raw-text.ts";
import { snapshotSchema } from "./schema.ts";

const AT = Date.UTC(2026, 3, 5, 6, 7, 8);

function read(text: string) {
  const [sample] = splitRawText(text);
  if (sample === undefined) throw new Error("no sample");
  return readRawSample(sample, { node: "n1", at: AT });
}

const BASE: Record<string, string> = {
  "/proc/meminfo": "MemTotal: 1000 kB\nMemFree: 10 kB\n",
  "/proc/uptime": "12.34 56.78\n",
  "/proc/stat": "cpu 1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4\nprocesses 77\n",
  "/proc/sys/kernel/random/boot_id": "00000000-1111-4222-8333-444444444444\n",
  "/proc/sys/kernel/osrelease": "3.10.0-1160.el7.x86_64\n",
};

function body(changes: Record<string, string | undefined> = {}): string {
  return Object.entries({ ...BASE, ...changes })
    .flatMap(([name, text]) => (text === undefined ? [] : [`==> ${name} <==\n${text}`]))
    .join("\n");
}

describe("readRawSample", () => {
  it.each(fixtureTrees())("reads the files of %s as the collector does", (tree) => {
    const golden = goldenSnapshot(tree);
    const { snapshot, fault, warnings } = read(rawBodyOfTree(tree));
    expect(fault).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(snapshotSchema.safeParse(snapshot).error).toBeUndefined();
    const pick = (from: object) =>
      JSON.parse(
        JSON.stringify(
          Object.fromEntries(Object.entries(from).filter(([key]) => RAW_SECTIONS.includes(key))),
        ),
      ) as unknown;
    expect(pick(snapshot ?? {})).toEqual(pick(golden));
  });

  it("needs five files, and says absent of the others", () => {
    const { snapshot, fault, warnings } = read(body());
    expect(fault).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(snapshot).toMatchObject({ node: "n1", at: AT, cpus: 2, forks: 77, uptimeSeconds: 12.34 });
    expect(snapshot?.sources).toMatchObject({
      meminfo: { status: "ok" },
      ...Object.fromEntries(
        ["zoneinfo", "vmstat", "slabinfo", "vmallocinfo", "smaps", "cgroups"].map((name) => [
          name,
          { status: "absent" },
        ]),
      ),
    });
    expect(snapshot?.vmstat).toBeUndefined();
    expect(snapshot?.slab).toBeUndefined();
  });

  it("names what is missing", () => {
    expect(read(body({ "/proc/meminfo": undefined, "/proc/uptime": "soon\n" })).fault).toBe(
      "a snapshot needs /proc/meminfo (absent), /proc/uptime (malformed, /proc/uptime line 1: expected two numbers of seconds, `12.34 56.78`)",
    );
    expect(read(body({ "/proc/stat": "btime 1\n" })).fault).toContain("/proc/stat (malformed");
    expect(read("==> /proc/swaps <==\n1\n")).toMatchObject({
      snapshot: undefined,
      warnings: ["not read here: /proc/swaps"],
    });
  });

  it("takes the release from /proc/version where osrelease is missing", () => {
    const changes = {
      "/proc/sys/kernel/osrelease": undefined,
      "/proc/version": "Linux version 3.10.0-957.el7.x86_64 (mockbuild@x) #1 SMP\n",
    };
    expect(read(body(changes)).snapshot?.kernelRelease).toBe("3.10.0-957.el7.x86_64");
    expect(read(body({ ...changes, "/proc/version": "\n" })).fault).toContain("osrelease (absent)");
  });

  it("knows denied from absent when the programs said so", () => {
    const text =
      "tail: cannot open '/proc/slabinfo' for reading: Permission denied\n" +
      "tail: cannot open '/proc/zoneinfo' for reading: No such file or directory\n" +
      "tail: error reading '/proc/vmstat': Input/output error\n" +
      body({ "/proc/vmstat": "" });
    expect(read(text).snapshot?.sources).toMatchObject({
      slabinfo: { status: "denied" },
      zoneinfo: { status: "absent" },
      vmstat: { status: "malformed", detail: "tail: error reading '/proc/vmstat': Input/output error" },
    });
  });

  it("names path and line of what it could not read, and keeps the rest", () => {
    const { snapshot, warnings } = read(
      body({
        "/proc/vmstat": "nr_free_pages 3\nodd\nnr_zspages 1\n",
        "/proc/zoneinfo": readMalformed("zoneinfo-cut"),
      }),
    );
    expect(snapshot?.vmstat).toEqual({ nr_free_pages: 3, nr_zspages: 1 });
    expect(snapshot?.sources?.vmstat).toEqual({
      status: "ok",
      detail: "/proc/vmstat line 2: expected a key and an integer below 2^53",
    });
    expect(snapshot?.sources?.zoneinfo?.status).toBe("malformed");
    expect(warnings).toEqual([
      "vmstat ok: /proc/vmstat line 2: expected a key and an integer below 2^53",
      "zoneinfo malformed: holds nothing that can be used, or ends too early",
    ]);
  });

  it("recognises files by the end of their path, each once", () => {
    const files = Object.entries(BASE).map(
      ([name, text], index) => [index % 2 === 0 ? `/host${name}` : name.replace("/proc/", ""), text] as const,
    );
    const text = [...files, ["/proc/meminfo", "MemTotal: 7 kB\n"] as const]
      .map(([name, content]) => `==> ${name} <==\n${content}`)
      .join("\n");
    const { snapshot, warnings } = read(text);
    expect(snapshot?.meminfo.MemTotal).toBe(1000);
    expect(warnings).toEqual(["/proc/meminfo stands twice; the first counts"]);
  });

  it("reads the unified hierarchy beside v1 ones only where there is no other", () => {
    const cgroups = "memory\t0\t95\t1\n";
    const stat = (descendants: number) => `nr_descendants ${descendants}\nnr_dying_descendants 2\n`;
    const beside = { "/sys/fs/cgroup/unified/cgroup.stat": stat(7) };
    const read2 = (changes: Record<string, string>) =>
      read(body({ "/proc/cgroups": cgroups, ...changes })).snapshot?.cgroups;
    expect(read2(beside)).toEqual({ mode: "v2", memoryCount: 95, live: 8, dying: 2 });
    expect(read2({ ...beside, "/sys/fs/cgroup/cgroup.stat": stat(80) })).toMatchObject({ live: 81 });
  });

  it("takes counts of directories, and says of each that could not be counted why", () => {
    const { snapshot, warnings } = read(
      body({
        "plumbline watch":
          "22368 /run/crio/exits\n denied /root/x\nabsent /run/a b\n-1 /run/no\n5 relative\n7 /nul\u0000\n",
      }),
    );
    expect(snapshot?.watch).toEqual([{ path: "/run/crio/exits", files: 22_368 }]);
    expect(snapshot?.sources).toMatchObject({
      "watch:/run/crio/exits": { status: "ok" },
      "watch:/root/x": { status: "denied" },
      "watch:/run/a b": { status: "absent" },
    });
    expect(warnings).toHaveLength(3);
  });

  it("tells dying cgroups on v1 only when the kernel's count held still", () => {
    const cgroups = { "/proc/cgroups": "memory\t4\t40\t1\n" };
    const walk = (text: string) => read(body({ ...cgroups, "plumbline cgroup-walk": text })).snapshot;
    const still = walk("live 8\ncontainers 3\ndenied 0\nbefore 40\nafter 40\n");
    expect(still).toMatchObject({
      cgroups: { mode: "v1", memoryCount: 40, live: 8, dying: 32 },
      containersLive: 3,
    });
    for (const text of [
      "live 8\ndenied 0\nbefore 40\nafter 41\n",
      "live 8\ndenied 1\nbefore 40\nafter 40\n",
      "live 8\n",
    ]) {
      expect(walk(text)?.cgroups).toEqual({ mode: "v1", memoryCount: 40 });
    }
    expect(walk("nothing\n")?.sources?.["cgroup-walk"]?.status).toBe("malformed");
  });

  it("believes a collector about what it reads less often, and about nothing else", () => {
    const { snapshot, warnings } = read(
      body({
        "plumbline sources":
          "slabinfo ok\nvmallocinfo denied\ncgroup-walk ok\nmeminfo denied\nself ok\nkmsg absent the shell collector does not read it\n",
      }),
    );
    expect(snapshot?.sources).toMatchObject({
      slabinfo: { status: "ok" },
      vmallocinfo: { status: "denied" },
      "cgroup-walk": { status: "ok" },
      meminfo: { status: "ok" },
      kmsg: { status: "absent", detail: "the shell collector does not read it" },
    });
    expect(snapshot?.slab).toBeUndefined();
    expect(warnings).toEqual(["plumbline sources line 5: expected a source and its status"]);
  });

  it("takes versions from what programs print, and the name of the system", () => {
    const { snapshot, warnings } = read(
      body({
        "plumbline versions":
          "collector sh 1\nrunc runc version 1.0.0-rc8\ncrun no such thing\nKubelet Kubernetes v1.18.2\n",
        "/host/etc/os-release": 'NAME=x\nPRETTY_NAME="CentOS Linux 7 (Core)"\n',
      }),
    );
    expect(snapshot?.versions).toEqual({
      collector: "sh 1",
      runc: "1.0.0-rc8",
      os: "CentOS Linux 7 (Core)",
    });
    expect(warnings).toEqual(
      [3, 4].map((line) => `plumbline versions line ${line}: expected a program and its version`),
    );
    expect(read(body({ "/etc/os-release": "PRETTY_NAME=a\u0000b\n" })).snapshot?.versions).toBeUndefined();
  });

  it("is total: any mixture of kernel text gives a valid snapshot or says what is missing", () => {
    const kernelText = rawBodyOfTree("6.18-debian12-x86_64");
    const words = fc.oneof(
      fc.constantFrom(
        "\n",
        "==> ",
        " <==\n",
        "==> plumbline watch <==\n",
        "1 /x\n",
        "kB",
        "\u0000",
        "-",
        "9",
      ),
      fc.string({ maxLength: 8 }),
    );
    const edit = fc.tuple(fc.nat(kernelText.length), fc.nat(4000), words);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = kernelText;
        for (const [from, length, word] of edits)
          text = text.slice(0, from) + word + text.slice(from + length);
        for (const sample of splitRawText(text)) {
          const { snapshot, fault } = readRawSample(sample, { node: "n", at: AT });
          if (snapshot === undefined) expect(fault).toMatch(/^a snapshot needs \//);
          else expect(snapshotSchema.safeParse(snapshot).error).toBeUndefined();
        }
      }),
      { numRuns: 150 },
    );
  });
});
