import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { CannotRun } from "./machine.ts";

/** Starts a child that prints one character once it holds; its end of input is the end of this process, however that comes. */
async function startChild(
  command: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...environment },
    // Ctrl-C in the terminal is for the lab, which then ends its children in order.
    detached: true,
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("error", reject);
    child.once("close", (code) => {
      const [last = ""] = said.trim().split("\n").slice(-1);
      reject(
        new CannotRun(`the process that was to hold it ended with ${code}${last === "" ? "" : `: ${last}`}`),
      );
    });
  });
  return child;
}

/**
 * A Node.js process that runs `program`, which writes one character to its output once it holds. `heapMib` bounds what the
 * program keeps of its own.
 */
export function startHolder(
  program: string,
  environment: Record<string, string> = {},
  heapMib = 16,
): Promise<ChildProcess> {
  const untilParentEnds = 'process.stdin.on("end", () => process.exit()).resume();';
  return startChild(
    process.execPath,
    [`--max-old-space-size=${heapMib}`, "-e", untilParentEnds + program],
    environment,
  );
}

/** The same in Python, for system calls that Node.js has no name for. `program` only makes; arguments are `sys.argv[1:]`. */
export function startPythonHolder(
  program: string,
  ...args: readonly (string | number)[]
): Promise<ChildProcess> {
  const held = `${program}\nsys.stdout.write(".")\nsys.stdout.flush()\nsys.stdin.read()\n`;
  return startChild("python3", ["-c", `import sys, os, ctypes\n${held}`, ...args.map(String)], {});
}

/** Runs Python once, for what stays without a process. @throws CannotRun with its last line. */
export function runPython(program: string, ...args: readonly (string | number)[]): string {
  try {
    return execFileSync("python3", ["-c", `import sys, os, ctypes\n${program}`, ...args.map(String)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new CannotRun(`python3: ${said.split("\n").at(-1) ?? "it failed"}`, { cause: error });
  }
}

/** Ends a holder and waits until the kernel has it no more. */
export async function endHolder(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
