import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/**
 * One shell serves one container after the other. It forks a subshell for each, which joins the cgroup (a 0 means the
 * writer itself), lives as long as asked and leaves the file a container monitor would leave: written from inside the
 * cgroup, so that the page is charged there. Forking a small shell costs a tenth of starting one from here.
 */
const SCRIPT = `
cgroup=$1 exits=$2 live=$3
while read -r id; do
  (echo 0 >"$cgroup/$id/cgroup.procs" && { [ "$live" = 0 ] || sleep "$live"; } && echo 0 >"$exits/$id")
  echo "$? $id"
done`;

interface Lane {
  readonly shell: ChildProcessByStdio<Writable, Readable, null>;
  /** Settles the container that runs in this lane. */
  settle: ((ok: boolean) => void) | undefined;
}

/** Shells that run containers side by side. */
export interface ContainerLanes {
  /** Runs one container whose cgroup exists; resolves to whether its process joined and left its file. */
  run: (id: string) => Promise<boolean>;
  /** Whether `run` would have to wait for nothing. */
  hasRoom: () => boolean;
  /** Lets the running containers end and stops the shells. */
  close: () => Promise<void>;
}

/** `liveSeconds` is how long each container lives; lanes are started when needed, at most `most` of them. */
export function openLanes(options: {
  cgroup: string;
  exits: string;
  liveSeconds: number;
  most: number;
}): ContainerLanes {
  const idle: Lane[] = [];
  const all: Lane[] = [];

  function start(): Lane {
    const shell = spawn(
      "sh",
      ["-c", SCRIPT, "sh", options.cgroup, options.exits, String(options.liveSeconds)],
      {
        stdio: ["pipe", "pipe", "ignore"],
        // Ctrl-C in the terminal is for the lab, which then ends its shells in order.
        detached: true,
      },
    );
    const lane: Lane = { shell, settle: undefined };
    const finish = (ok: boolean) => {
      const { settle } = lane;
      lane.settle = undefined;
      settle?.(ok);
    };
    createInterface({ input: shell.stdout }).on("line", (line) => {
      idle.push(lane);
      finish(line.startsWith("0 "));
    });
    shell.on("error", () => finish(false));
    shell.on("exit", () => {
      all.splice(all.indexOf(lane), 1);
      const at = idle.indexOf(lane);
      if (at >= 0) idle.splice(at, 1);
      finish(false);
    });
    shell.stdin.on("error", () => finish(false));
    all.push(lane);
    return lane;
  }

  return {
    hasRoom: () => idle.length > 0 || all.length < options.most,
    run(id) {
      const lane = idle.pop() ?? start();
      return new Promise((resolve) => {
        lane.settle = resolve;
        lane.shell.stdin.write(`${id}\n`);
      });
    },
    async close() {
      await Promise.all(
        all.map(
          ({ shell }) =>
            new Promise<void>((resolve) => {
              shell.once("exit", () => resolve());
              shell.stdin.end();
            }),
        ),
      );
    },
  };
}
