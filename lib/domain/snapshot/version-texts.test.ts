import { describe, expect, it } from "vitest";
import { parseOsRelease, parseVersionOutput } from "./version-texts.ts";

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
