import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig, type RunConfig } from "./config.ts";

function parseRun(args: string[], environment: Record<string, string> = {}): RunConfig {
  const parsed = parseConfig(["run", "--server", "http://127.0.0.1:4400", ...args], environment);
  if (parsed.command !== "run") throw new Error("expected run");
  return parsed.config;
}

describe("parseConfig", () => {
  it("has defaults for everything but the server", () => {
    expect(parseRun([])).toMatchObject({
      node: os.hostname(),
      labels: {},
      places: { proc: "/proc", sys: "/sys", root: "/" },
      watch: [],
      intervalMs: 15_000,
      pushMs: 30_000,
      spoolBytes: 64 * 1024 * 1024,
    });
    expect(parseRun([]).snapshotsUrl.href).toBe("http://127.0.0.1:4400/api/v1/snapshots");
    expect(() => parseConfig(["run"], {})).toThrow(ConfigError);
  });

  it("reads one file or standard input", () => {
    expect(parseConfig(["read"], {})).toEqual({ command: "read", file: "-", json: false });
    expect(parseConfig(["read", "--json", "x.txt"], {})).toEqual({
      command: "read",
      file: "x.txt",
      json: true,
    });
    expect(() => parseConfig(["read", "a", "b"], {})).toThrow(ConfigError);
    expect(() => parseConfig(["print", "--json"], {})).toThrow(ConfigError);
  });

  it("explains a file, standard input or this machine", () => {
    expect(parseConfig(["explain", "--json", "x.txt"], {})).toMatchObject({
      command: "explain",
      file: "x.txt",
      json: true,
    });
    expect(parseConfig(["explain", "--over", "60s", "--proc", "/host/proc"], {})).toMatchObject({
      command: "explain",
      file: undefined,
      overMs: 60_000,
      config: { places: { proc: "/host/proc" } },
    });
    expect(() => parseConfig(["explain", "a", "b"], {})).toThrow(ConfigError);
    expect(() => parseConfig(["explain", "--over", "1s", "a"], {})).toThrow(ConfigError);
    expect(() => parseConfig(["print", "--over", "1s"], {})).toThrow(ConfigError);
  });

  it("prefers the command line to the environment", () => {
    const environment = {
      PLUMBLINE_NODE: "from-environment",
      PLUMBLINE_INTERVAL: "5s",
      PLUMBLINE_LABELS: "zone=a,role=worker",
      PLUMBLINE_WATCH: "/a:/b",
      STATE_DIRECTORY: "/var/lib/x",
    };
    expect(parseRun([], environment)).toMatchObject({
      node: "from-environment",
      intervalMs: 5000,
      labels: { zone: "a", role: "worker" },
      watch: ["/a", "/b"],
      spoolDirectory: "/var/lib/x/spool",
    });
    expect(
      parseRun(
        ["--node", "n1", "--interval", "1m", "--label", "k=v=w", "--watch", "/c/", "--spool", "/s"],
        environment,
      ),
    ).toMatchObject({
      node: "n1",
      intervalMs: 60_000,
      labels: { k: "v=w" },
      watch: ["/c/"],
      spoolDirectory: "/s",
    });
  });

  it("keeps the path of a server that lives below one", () => {
    const parsed = parseConfig(["run", "--server", "https://example.org/plumbline"], {});
    expect(parsed.command === "run" && parsed.config.snapshotsUrl.href).toBe(
      "https://example.org/plumbline/api/v1/snapshots",
    );
  });

  it("reads the token file at each call", () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), "config-"));
    const file = path.join(directory, "token");
    const { readToken } = parseRun(["--token-file", file], { PLUMBLINE_TOKEN: "other" });
    expect(readToken()).toBeUndefined();
    writeFileSync(file, "first\n");
    expect(readToken()).toBe("first");
    writeFileSync(file, " second \n");
    expect(readToken()).toBe("second");
    rmSync(directory, { recursive: true });
    expect(parseRun([], { PLUMBLINE_TOKEN: "other" }).readToken()).toBe("other");
  });

  it.each([
    [["run", "--server", "nonsense"], /--server nonsense/],
    [["run", "--server", "ftp://x"], /http or https/],
    [["run", "--server", "http://user:secret@x"], /token into a file/],
    [["run", "--server", "http://x", "--interval", "often"], /--interval often/],
    [["run", "--server", "http://x", "--interval", "2h"], /--interval/],
    [["run", "--server", "http://x", "--spool-mib", "0"], /--spool-mib/],
    [["print", "--watch", "relative"], /absolute/],
    [["print", "--label", "novalue"], /KEY=VALUE/],
    [["print", "--no-such-option"], /no-such-option/],
    [["mend"], /unknown command/],
    [[], /run, print, read or explain/],
    [["print", "more"], /unexpected argument: more/],
  ])("refuses %j", (args, message) => expect(() => parseConfig(args, {})).toThrow(message));

  it("does not print the secret of an address", () => {
    let message = "";
    try {
      parseConfig(["run", "--server", "http://user:secret@x"], {});
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("token");
    expect(message).not.toContain("secret");
  });
});
