import { expect, it } from "vitest";

import { parseForeignModules } from "./foreign-modules.ts";

it("names the modules that come from outside of the kernel", () => {
  const text = [
    "nvidia_uvm 1527808 2 - Live 0xffffffffc1a00000 (POE)",
    "xfs 1802240 1 - Live 0xffffffffc0e00000",
    "zfs 4173824 6 - Live 0xffffffffc0a00000 (O)",
    "libcrc32c 12288 2 xfs,nf_conntrack, Live 0xffffffffc0900000",
    "",
  ].join("\n");
  expect(parseForeignModules(text)).toEqual(["nvidia_uvm", "zfs"]);
});

it("names none of an empty or a foreign text", () => {
  expect(parseForeignModules("")).toEqual([]);
  expect(parseForeignModules("MemTotal: 12 kB (OE)\n")).toEqual([]);
});
