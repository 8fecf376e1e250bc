import { describe, expect, it } from "vitest";
import { listTmpfsMounts } from "./tmpfs-mounts.ts";

describe("listTmpfsMounts", () => {
  it("keeps tmpfs, each mount point once, with its blanks", () => {
    const mounts = [
      "proc /proc proc rw 0 0",
      "tmpfs /run tmpfs rw,nosuid 0 0",
      "tmpfs /mnt/a\\040b\\134c tmpfs rw 0 0",
      "tmpfs /run tmpfs rw 0 0",
      "/dev/sda1 /tmpfs ext4 rw 0 0",
      "tmpfs",
      "",
    ].join("\n");
    expect(listTmpfsMounts(mounts)).toEqual(["/run", "/mnt/a b\\c"]);
  });

  it("finds none in nothing", () => expect(listTmpfsMounts("")).toEqual([]));
});
