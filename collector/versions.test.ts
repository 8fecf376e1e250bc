import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVersionReader } from "./versions.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "versions-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function install(file: string, script: string): string {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `#!/bin/sh\n${script}\n`);
  chmodSync(target, 0o755);
  return target;
}

describe("createVersionReader", () => {
  it("asks each program once, and again when its file changed", async () => {
    const count = path.join(root, "count");
    const runc = install("usr/bin/runc", `echo . >>${count}; echo "runc version 1.0.0-rc8"`);
    install("usr/bin/crun", "echo broken >&2; exit 1");
    mkdirSync(path.join(root, "etc"));
    writeFileSync(path.join(root, "etc/os-release"), 'PRETTY_NAME="Test 1"\n');

    const reader = createVersionReader(root, "9.9.9");
    expect(reader.current()).toEqual({ collector: "9.9.9" });
    await reader.refresh();
    await reader.refresh();
    expect(reader.current()).toEqual({ collector: "9.9.9", os: "Test 1", runc: "1.0.0-rc8" });
    expect(readFileSync(count, "utf8")).toBe(".\n");

    writeFileSync(runc, "#!/bin/sh\necho runc version 1.0.0-rc9\n");
    utimesSync(runc, 1, 1);
    await reader.refresh();
    expect(reader.current().runc).toBe("1.0.0-rc9");

    rmSync(runc);
    await reader.refresh();
    expect(reader.current()).not.toHaveProperty("runc");
  });

  it("passes no environment on", async () => {
    const seen = path.join(root, "seen");
    install("usr/bin/podman", `/usr/bin/env >${seen}; echo podman version 4.3.1`);
    const reader = createVersionReader(root, "1.0.0");
    await reader.refresh();
    expect(reader.current().podman).toBe("4.3.1");
    const names = readFileSync(seen, "utf8")
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(
      names.filter((name) => name !== "" && !["PWD", "OLDPWD", "_", "SHLVL"].includes(name ?? "")),
    ).toEqual([]);
  });
});
