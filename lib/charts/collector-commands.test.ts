import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandWays, isLoopbackServer, plainServer } from "./collector-commands.ts";

const inputs = {
  server: "https://plumbline.example:4400",
  token: "pl_abcdef_secret",
  sha256: { sh: "a".repeat(64), js: "b".repeat(64) },
};
const commandsOf = (key: string, given: Parameters<typeof commandWays>[0] = inputs) =>
  commandWays(given)
    .find((way) => way.key === key)
    ?.steps.map(({ command }) => command) ?? [];

describe("an address of a server", () => {
  it.each([
    ["https://plumbline.example:4400/", "https://plumbline.example:4400"],
    [" http://[::1]:4400 ", "http://[::1]:4400"],
    ["http://10.0.0.7/plumbline//", "http://10.0.0.7/plumbline"],
  ])("%s is taken as %s", (text, plain) => {
    expect(plainServer(text)).toBe(plain);
  });

  it.each([
    "",
    "plumbline.example",
    "ftp://a",
    "http://a'$(id)'",
    "http://a b",
    "http://u:p@host",
    "http://a?x=1",
  ])("%s is refused, for it would stand in a shell", (text) => {
    expect(plainServer(text)).toBeUndefined();
  });

  it("leads nowhere from a node when it is loopback", () => {
    expect(["http://localhost:4400", "http://127.0.0.1", "http://[::1]:1"].map(isLoopbackServer)).toEqual([
      true,
      true,
      true,
    ]);
    expect(isLoopbackServer(inputs.server)).toBe(false);
  });
});

describe("the commands", () => {
  it("begin with the way that needs least, and hold server, token and digest", () => {
    const ways = commandWays(inputs);
    expect(ways.map(({ key }) => key)).toEqual(["sh", "systemd", "daemonset", "image", "prometheus"]);
    for (const way of ways) {
      const text = way.steps.map(({ command }) => command).join("\n");
      expect(text).toContain(inputs.server);
      expect(text).toContain(inputs.token);
      expect(text).toMatch(way.key === "prometheus" ? /api\/v1\/write/ : /a{64}|b{64}/);
    }
  });

  it("say where the token goes while there is none", () => {
    expect(commandsOf("sh", { ...inputs, token: undefined })[0]).toContain("'TOKEN'");
  });

  it("are what a shell can read", () => {
    for (const way of commandWays(inputs))
      for (const { command } of way.steps)
        if (!command.startsWith("remote_write:"))
          expect(() => execFileSync("sh", ["-n", "-c", command], { stdio: "pipe" })).not.toThrow();
  });

  it("give the pods the least they need", () => {
    const [manifest = ""] = commandsOf("daemonset");
    expect(manifest).toContain("capabilities: { drop: [ALL], add: [SYS_PTRACE] }");
    expect(manifest).toContain("privileged: false");
    expect(manifest.match(/readOnly: true/g)).toHaveLength(7);
    expect(manifest).toContain("mountPropagation: HostToContainer");
    expect(manifest).toContain("pod-security.kubernetes.io/enforce: privileged");
  });

  it("keep the token out of the list of processes", () => {
    const container = commandsOf("image").at(-1) ?? "";
    expect(container.slice(container.indexOf("docker run"))).not.toContain(inputs.token);
  });
});
