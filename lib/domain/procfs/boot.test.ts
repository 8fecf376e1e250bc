import { describe, expect, it } from "vitest";

import { readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { parseBootId } from "./boot-id.ts";
import { parseCmdline } from "./cmdline.ts";
import { parseOsrelease } from "./osrelease.ts";
import { parsePageSizeBytes } from "./smaps.ts";
import { parseUptime } from "./uptime.ts";
import { parseVersion } from "./version.ts";

const TREE = "6.18-debian12-x86_64";
const file = (path: string) => readTreeFile(TREE, path) ?? "";

describe("parseVersion and parseOsrelease", () => {
  it("agree on the release", () => {
    expect(parseVersion(file("proc/version")).value?.release).toBe("6.18.44-fc-v509");
    expect(parseOsrelease(file("proc/sys/kernel/osrelease")).value).toBe("6.18.44-fc-v509");
  });

  it("read the banner of EL7", () => {
    const banner = "Linux version 3.10.0-1160.el7.x86_64 (builder@host) (gcc version 4.8.5) #1 SMP";
    expect(parseVersion(banner)).toEqual({
      value: { release: "3.10.0-1160.el7.x86_64", banner },
      warnings: [],
    });
  });

  it("say what is missing in anything else", () => {
    expect(parseVersion("Linux version 3.1").value).toBe(undefined);
    expect(parseVersion("Darwin 22\n").warnings).toHaveLength(1);
    expect(parseOsrelease("\u0000\n").value).toBe(undefined);
    expect(parseOsrelease("hello\n").warnings).toHaveLength(1);
  });
});

describe("parseCmdline", () => {
  it("keeps order, repeats, flags and empty values", () => {
    const { value } = parseCmdline(
      'BOOT=/a quiet console=tty0 console=ttyS0 x= dyndbg="file a +p" -- init=1\n',
    );
    expect(value.parameters).toEqual([
      { name: "BOOT", value: "/a" },
      { name: "quiet", value: undefined },
      { name: "console", value: "tty0" },
      { name: "console", value: "ttyS0" },
      { name: "x", value: "" },
      { name: "dyndbg", value: "file a +p" },
    ]);
    expect(value.valuesOf("console")).toEqual(["tty0", "ttyS0"]);
  });

  it("spells dashes and underscores alike, as the kernel does", () => {
    expect(parseCmdline("cgroup.memory=nokmem slab-nomerge").value.valuesOf("slab_nomerge")).toEqual([
      undefined,
    ]);
    expect(parseCmdline("cgroup.memory=nokmem").value.valuesOf("cgroup.memory")).toEqual(["nokmem"]);
    expect(parseCmdline("quiet").value.valuesOf("cgroup.memory")).toEqual([]);
  });
});

describe("parseUptime", () => {
  it("reads seconds, and not a number that may be cut", () => {
    expect(parseUptime("678.17 1132.88\n").value).toEqual({ uptimeSeconds: 678.17, idleSeconds: 1132.88 });
    expect(parseUptime("678.17 11").value).toEqual({ uptimeSeconds: 678.17, idleSeconds: undefined });
    expect(parseUptime("678.1").value).toBe(undefined);
    expect(parseUptime("up 3 days\n").warnings).toHaveLength(1);
  });
});

describe("parseBootId", () => {
  it("reads a UUID and nothing else", () => {
    expect(parseBootId(file("proc/sys/kernel/random/boot_id")).value).toBe(
      "00000000-1111-4222-8333-444444444444",
    );
    expect(parseBootId("ABCDEF00-1111-4222-8333-444444444444\r\n").value).toBe(
      "abcdef00-1111-4222-8333-444444444444",
    );
    expect(parseBootId("abcdef00-1111-4222-8333\n")).toMatchObject({
      value: undefined,
      warnings: [{ lineNumber: 1, expected: "a UUID" }],
    });
  });
});

describe("parsePageSizeBytes", () => {
  it("takes the first mapping's", () => {
    expect(parsePageSizeBytes(file("proc/self/smaps")).value).toBe(4096);
    expect(parsePageSizeBytes("KernelPageSize:       64 kB\nKernelPageSize:  2048 kB\n").value).toBe(65_536);
    expect(parsePageSizeBytes("Size: 4 kB\n").value).toBe(undefined);
    expect(parsePageSizeBytes("KernelPageSize: 0 kB\n").warnings).toHaveLength(1);
  });
});
