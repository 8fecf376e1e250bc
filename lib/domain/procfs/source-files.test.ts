import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseAllocinfo } from "./allocinfo.ts";
import { parseArcstats } from "./arcstats.ts";
import { parseBuddyinfo } from "./buddyinfo.ts";
import { parseDentryState } from "./dentry-state.ts";
import { parseFileNr } from "./file-nr.ts";
import { parseInodeNr } from "./inode-nr.ts";
import { parseKeyUsers } from "./key-users.ts";
import { parseLoadavg } from "./loadavg.ts";
import { parseMemoryStat } from "./memory-stat.ts";
import { parseMmStat } from "./mm-stat.ts";
import { parseModules } from "./modules.ts";
import { parseMountinfo } from "./mountinfo.ts";
import { parseSingleNumber } from "./number-line.ts";
import { parsePressure } from "./pressure.ts";
import { parseProtocols } from "./protocols.ts";
import { parseSockstat } from "./sockstat.ts";
import { parseTcpMem } from "./tcp-mem.ts";

const fileOf = (tree: string, file: string) => readTreeFile(tree, file) ?? "";

describe("files of one line", () => {
  it("are read by position", () => {
    expect(parseFileNr("1632\t0\t9223372036854775807\n").value).toEqual({
      allocated: 1632,
      max: Number.MAX_SAFE_INTEGER,
    });
    expect(parseInodeNr("482962\t0\n").value).toEqual({ inodes: 482_962, freeInodes: 0 });
    expect(parseTcpMem("287901\t383868\t575802\n").value).toEqual({
      lowPages: 287_901,
      pressurePages: 383_868,
      highPages: 575_802,
    });
    expect(parseMmStat(fileOf("5.10-debian11-x86_64", "sys/block/zram0/mm_stat")).value).toEqual({
      origDataBytes: 268_435_456,
      comprDataBytes: 124_780_544,
      memUsedBytes: 134_217_728,
    });
    expect(parseLoadavg("12.67 10.39 6.80 6/307 30332\n").value).toEqual({ threads: 307 });
    expect(parseSingleNumber("17\n", "x").value).toBe(17);
  });

  it("take the dummy of old kernels for no count of negative dentries", () => {
    expect(parseDentryState(fileOf("3.10-el7-x86_64", "proc/sys/fs/dentry-state")).value).toEqual({
      dentries: 1_193_027,
      unused: 1_101_881,
      negative: undefined,
    });
    expect(parseDentryState(fileOf("5.10-debian11-x86_64", "proc/sys/fs/dentry-state")).value?.negative).toBe(
      81_203,
    );
  });

  it("are nothing when they hold something else", () => {
    for (const text of ["", "\n", "1\n", "a b c\n", "cat: x: Permission denied\n"]) {
      expect(parseTcpMem(text).value).toBe(undefined);
    }
    expect(parseInodeNr("5 -2\n").value).toBe(undefined);
    expect(parseSingleNumber("17", "x").value).toBe(undefined);
    expect(parseSingleNumber("17 18\n", "x").value).toBe(undefined);
    expect(parseTcpMem("1 2 x\n").warnings).toEqual([
      {
        path: "/proc/sys/net/ipv4/tcp_mem",
        lineNumber: 1,
        line: "1 2 x",
        expected: "three limits in pages: low, pressure, high",
      },
    ]);
  });
});

describe("parsePressure", () => {
  it("reads shares of time and the time itself", () => {
    const { value } = parsePressure(fileOf("5.10-debian11-x86_64", "proc/pressure/memory"));
    expect(value.some).toEqual({ avg10: 0.31, avg60: 0.1, avg300: 0.02, totalUs: 8_120_334 });
    expect(value.full?.totalUs).toBe(3_902_118);
  });

  it("has no `full` where the kernel prints none, and no share beyond 100", () => {
    const line = "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n";
    expect(parsePressure(line).value).toMatchObject({ full: undefined, some: { totalUs: 5 } });
    expect(parsePressure(line.replace("0.00", "100.01")).value.some).toBe(undefined);
  });
});

describe("parseKeyUsers", () => {
  it("reads every user of a machine", () => {
    const { value } = parseKeyUsers(fileOf("3.10-el7-x86_64", "proc/key-users"));
    expect(value.map(({ uid }) => uid)).toEqual([0, 81, 1000]);
    expect(value[0]).toEqual({
      uid: 0,
      usage: 412,
      nkeys: 411,
      nikeys: 411,
      qnkeys: 388,
      maxkeys: 1_000_000,
      qnbytes: 8211,
      maxbytes: 25_000_000,
    });
  });
});

describe("parseSockstat", () => {
  it("reads both files in one text", () => {
    const text =
      fileOf("3.10-el7-x86_64", "proc/1/net/sockstat") +
      fileOf("6.18-debian12-x86_64", "proc/1/net/sockstat6");
    const { value, warnings } = parseSockstat(text);
    expect(warnings).toEqual([]);
    expect(value.get("TCP")?.get("mem")).toBe(812);
    expect(value.get("sockets")?.get("used")).toBe(1802);
    expect(value.get("FRAG")?.get("memory")).toBe(0);
    expect(value.has("TCP6")).toBe(true);
  });

  it("leaves out what is printed below zero, and keeps the rest of the line", () => {
    const { value, warnings } = parseSockstat("TCP: inuse 3 mem -2\n");
    expect([...(value.get("TCP") ?? [])]).toEqual([["inuse", 3]]);
    expect(warnings).toEqual([]);
  });
});

describe("parseProtocols", () => {
  it("tells a protocol that counts no memory from one that has none", () => {
    const { value } = parseProtocols(fileOf("6.18-debian12-x86_64", "proc/1/net/protocols"));
    const byName = new Map(value.map((each) => [each.protocol, each]));
    expect(byName.get("UNIX-STREAM")?.memoryPages).toBe(undefined);
    expect(byName.get("UDP")?.memoryPages).toBe(0);
    expect(byName.get("TCP")?.objSizeBytes).toBe(2304);
  });
});

describe("parseBuddyinfo", () => {
  it("reads zones of several nodes", () => {
    const { value } = parseBuddyinfo("Node 0, zone      DMA      1      0 \nNode 1, zone   Normal      7 \n");
    expect(value).toEqual([
      { node: 0, zone: "DMA", freeBlocks: [1, 0] },
      { node: 1, zone: "Normal", freeBlocks: [7] },
    ]);
  });
});

describe("parseModules", () => {
  it("reads the letters of taint, and none of a module that is going", () => {
    const { value } = parseModules(fileOf("5.10-debian11-x86_64", "proc/modules"));
    expect(value.map(({ name, taint }) => [name, taint])).toEqual([
      ["nf_conntrack", undefined],
      ["overlay", undefined],
      ["wireguard", "OE"],
      ["nfs", undefined],
      ["ext4", undefined],
    ]);
    expect(parseModules("x 1 0 - Loading 0x0 (POE+)\n").value[0]?.taint).toBe("POE");
  });
});

describe("parseMountinfo", () => {
  it("reads types, escapes and optional fields", () => {
    const { value, warnings } = parseMountinfo(
      "40 31 0:37 / /sys/fs/cgroup/systemd rw shared:9 master:1 - cgroup cgroup rw,name=systemd\n" +
        "41 31 0:38 / /mnt/a\\040b rw - tmpfs tmpfs rw\n" +
        "42 31 0:4 net:[4026532251] /run/netns/x rw shared:3 - nsfs nsfs rw\n",
    );
    expect(warnings).toEqual([]);
    expect(value.map(({ mountPoint, type, superOptions }) => [mountPoint, type, superOptions])).toEqual([
      ["/sys/fs/cgroup/systemd", "cgroup", "rw,name=systemd"],
      ["/mnt/a b", "tmpfs", "rw"],
      ["/run/netns/x", "nsfs", "rw"],
    ]);
  });
});

describe("parseAllocinfo", () => {
  it("reads sites of the kernel and of modules", () => {
    const { value } = parseAllocinfo(fileOf("6.12-debian13-x86_64", "proc/allocinfo"));
    expect(value).toHaveLength(8);
    expect(value[2]).toEqual({
      site: "kernel/fork.c:320 func:alloc_thread_stack_node",
      bytes: 10_240_000,
      calls: 625,
    });
    expect(value.some(({ site }) => site.includes("[virtio_net] func:"))).toBe(true);
  });

  it("leaves out a site that is below zero for a moment", () => {
    expect(parseAllocinfo("-4096 -1 mm/x.c:1 func:y\n")).toEqual({ value: [], warnings: [] });
  });
});

describe("parseArcstats", () => {
  it("reads sizes, and leaves out what is below zero", () => {
    const { value } = parseArcstats(fileOf("6.12-debian13-x86_64", "proc/spl/kstat/zfs/arcstats"));
    expect(value.get("size")).toBe(5_368_709_120);
    expect(value.get("c_min")).toBe(789_890_944);
    expect(value.has("memory_available_bytes")).toBe(false);
  });
});

describe("parseMemoryStat", () => {
  it("takes the lines of v1 that include what is below", () => {
    const { value } = parseMemoryStat(fileOf("3.10-el7-x86_64", "sys/fs/cgroup/memory/memory.stat"));
    expect(value).toMatchObject({
      version: "v1",
      anonBytes: 18_300_411_904,
      fileBytes: 30_112_038_912,
      shmemBytes: undefined,
      slabBytes: undefined,
    });
  });

  it("has the kernel's share on v2 as far as the kernel tells it", () => {
    const old = parseMemoryStat(fileOf("5.10-debian11-x86_64", "sys/fs/cgroup/memory.stat")).value;
    expect(old).toMatchObject({
      version: "v2",
      kernelBytes: undefined,
      pageTablesBytes: undefined,
      slabBytes: 1_135_230_976,
    });
    const recent = parseMemoryStat(fileOf("6.12-debian13-x86_64", "sys/fs/cgroup/memory.stat")).value;
    expect(recent).toMatchObject({ kernelBytes: 41_943_040, vmallocBytes: 4_362_240, sockBytes: 0 });
  });
});
