import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVersionReader, parseOsRelease, parseVersionOutput } from "./versions.ts";

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

describe("parseVersionOutput", () => {
  it.each([
    ["runc version 1.0.0-rc8\nspec: 1.0.1-dev\n", "1.0.0-rc8"],
    ["runc version 1.1.5+ds1\ncommit: 1.1.5+ds1-1+deb12u1\n", "1.1.5+ds1"],
    ["crio version 1.14.12-0.1.dev.rhaos4.2.el8\n", "1.14.12-0.1.dev.rhaos4.2.el8"],
    ["containerd github.com/containerd/containerd v1.7.2 0cae528\n", "1.7.2"],
    ["containerd containerd.io 1.6.33 d2d5823\n", "1.6.33"],
    ["Docker version 24.0.7, build 311b9ff\n", "24.0.7"],
    ["Kubernetes v1.28.4\n", "1.28.4"],
    ["podman version 4.3.1\n", "4.3.1"],
    ["crun version 1.8.1\ncommit: x\n", "1.8.1"],
  ])("reads %j as %s", (output, version) => expect(parseVersionOutput(output)).toBe(version));

  it("reads nothing out of an error", () => {
    expect(parseVersionOutput("flag provided but not defined: -version\n")).toBeUndefined();
    expect(parseVersionOutput("")).toBeUndefined();
  });
});

describe("parseOsRelease", () => {
  it("reads quoted and plain names", () => {
    expect(parseOsRelease('NAME="x"\nPRETTY_NAME="CentOS Linux 7 (Core)"\n')).toBe("CentOS Linux 7 (Core)");
    expect(parseOsRelease("PRETTY_NAME='Arch Linux'\n")).toBe("Arch Linux");
    expect(parseOsRelease("PRETTY_NAME=Alpine\n")).toBe("Alpine");
    expect(parseOsRelease('PRETTY_NAME="a \\"b\\""\n')).toBe('a "b"');
    expect(parseOsRelease("NAME=x\n")).toBeUndefined();
  });
});

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
