import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseServiceUser, closedFolderAbove, parsePasswd } from "./service-user.ts";

const passwd = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
broken line
half:x::1::
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;

describe("the user that PostgreSQL runs as", () => {
  it("leaves malformed lines out", () => {
    expect(parsePasswd(passwd).map((each) => each.name)).toEqual(["root", "daemon", "nobody"]);
  });

  it("is nobody, else daemon, never root", () => {
    expect(chooseServiceUser(passwd)).toEqual({ name: "nobody", uid: 65534, gid: 65534 });
    expect(chooseServiceUser(passwd.replace("nobody:x:65534", "other:x:5"))?.name).toBe("daemon");
    expect(chooseServiceUser("root:x:0:0::/root:/bin/sh")).toBeUndefined();
    expect(chooseServiceUser("nobody:x:0:0::/:/bin/sh")).toBeUndefined();
  });

  it("stays the owner of existing data", () => {
    expect(chooseServiceUser(passwd, { uid: 1, gid: 1 })?.name).toBe("daemon");
    expect(chooseServiceUser(passwd, { uid: 7, gid: 8 })).toEqual({ name: "uid 7", uid: 7, gid: 8 });
    expect(chooseServiceUser(passwd, { uid: 0, gid: 0 })?.name).toBe("nobody");
  });

  it("is kept out by the first closed folder on the way", () => {
    const top = mkdtempSync(join(tmpdir(), "plumbline-way-"));
    chmodSync(top, 0o755);
    const inner = join(top, "closed", "open");
    mkdirSync(inner, { recursive: true });
    chmodSync(join(top, "closed"), 0o700);
    chmodSync(inner, 0o755);
    expect(closedFolderAbove(inner, { uid: 65534, gid: 65534 })).toBe(join(top, "closed"));
    chmodSync(join(top, "closed"), 0o711);
    expect(closedFolderAbove(inner, { uid: 65534, gid: 65534 })).toBeUndefined();
    rmSync(top, { recursive: true });
  });
});
