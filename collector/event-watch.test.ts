import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEventWatch, type EventWatch, type EventWatchOptions } from "./event-watch.ts";
import { parseEventPositions } from "./event-positions.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const CONNTRACK = "nf_conntrack: nf_conntrack: table full, dropping packet";
const MKDIR = "mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod1: cannot allocate memory";

let folder: string;
let log: string;
let options: EventWatchOptions;
const watches: EventWatch[] = [];

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function watch(changes: Partial<EventWatchOptions> = {}): EventWatch {
  const made = createEventWatch({ ...options, ...changes });
  watches.push(made);
  return made;
}

function service(pid: number, name: string, ticks: number, parent = 1): void {
  write(path.join(folder, `proc/${pid}/comm`), `${name}\n`);
  const rest = Array.from({ length: 17 }, () => "0").join(" ");
  write(
    path.join(folder, `proc/${pid}/stat`),
    `${pid} (${name}) S ${parent} ${rest} ${ticks} ${"0 ".repeat(30)}\n`,
  );
}

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "event-watch-"));
  log = path.join(folder, "messages");
  write(path.join(folder, "proc/uptime"), "86400.00 1.00\n");
  write(path.join(folder, "proc/sys/kernel/random/boot_id"), "8ab2d9a4-5c1e-4e0f-9c1b-2b1f6c1f0a11\n");
  write(log, "");
  options = {
    proc: path.join(folder, "proc"),
    kmsg: path.join(folder, "kmsg"),
    logs: [{ file: "/var/log/messages", path: log, asked: true }],
    journalctl: undefined,
    saved: undefined,
  };
});
afterEach(() => {
  for (const each of watches.splice(0)) each.close();
  rmSync(folder, { recursive: true });
});

describe("createEventWatch", () => {
  it("tells a line of a log as an event with its time, its words and the line itself", () => {
    const events = watch();
    expect(events.look(NOW)).toMatchObject({
      events: [],
      sources: { kmsg: { status: "absent" }, "log:/var/log/messages": { status: "ok" } },
    });
    appendFileSync(log, `2026-11-30T11:59:50Z node-1 kernel: [86390.100000] ${CONNTRACK}\n`);
    const { events: told } = events.look(NOW + 15 * SECOND);
    expect(told).toMatchObject([
      {
        at: "2026-11-30T11:59:50.000Z",
        kind: "limit-reached",
        title: "The conntrack table is full, packets are dropped",
        text: expect.stringMatching(/^nf_conntrack: nf_conntrack: table full, dropping packet\n/) as string,
      },
    ]);
  });

  const KILL =
    "Out of memory: Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB";
  /** As syslog prints it where the collector is. */
  function syslog(atMs: number): string {
    const [, month, day, , clock] = new Date(atMs).toString().split(" ");
    return `${month} ${String(Number(day)).padStart(2)} ${clock}`;
  }

  it.each([
    ["5 h ago, with its zone", () => "2026-11-30T07:00:00Z", "2026-11-30T07:00:00.000Z", undefined],
    [
      "5 h ago, without a zone",
      () => syslog(NOW - 5 * HOUR),
      "2026-11-30T07:00:00.000Z",
      /without a time zone; it was read at/,
    ],
    [
      "3 days ago, without a zone",
      () => syslog(NOW - 72 * HOUR),
      "2026-11-27T12:00:00.000Z",
      /without a time zone/,
    ],
    [
      "2 h ahead, without a zone",
      () => syslog(NOW + 2 * HOUR),
      "2026-11-30T12:00:15.000Z",
      /still to come here/,
    ],
  ])("tells a line that was printed for %s when that was, and its doubt", (_, time, at, doubt) => {
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `${time()} node-1 kernel: ${KILL}\n`);
    const { events: told } = events.look(NOW + 15 * SECOND);
    expect(told).toMatchObject([{ kind: "oom-kill", at }]);
    if (doubt === undefined) expect(told[0]?.text).not.toContain("zone");
    else expect(told[0]?.text).toMatch(doubt);
  });

  it.each([
    ["1999-01-01T00:00:00Z", "1 of more than 14 days ago"],
    ["1999-01-01 00:00:00", "1 of more than 14 days ago"],
    [syslog(NOW - 200 * 24 * HOUR), "1 of more than 14 days ago"],
    ["2031-01-01T00:00:00Z", "1 with times that are still to come"],
    ["2031-01-01 00:00:00", "1 with times that are still to come"],
  ])("leaves out and counts what was printed for %s", (time, said) => {
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `${time} node-1 kernel: ${KILL}\n`);
    expect(events.look(NOW + 15 * SECOND)).toMatchObject({
      events: [],
      oomKills: 0,
      sources: { "log:/var/log/messages": { detail: `events left out for their times: ${said}` } },
    });
  });

  it("learns from its other lines that a log is in another zone", () => {
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `${syslog(NOW - 5 * HOUR + 10 * SECOND)} node-1 sshd[7]: session opened\n`);
    events.look(NOW + 15 * SECOND);
    appendFileSync(log, `${syslog(NOW - 5 * HOUR + 20 * SECOND)} node-1 kernel: ${KILL}\n`);
    const { events: told, oomKills } = events.look(NOW + 30 * SECOND);
    expect(told).toMatchObject([{ at: "2026-11-30T12:00:20.000Z" }]);
    expect(told[0]?.text).not.toContain("zone");
    expect(oomKills).toBe(1);
  });

  it("counts no kill of long ago among those that the kernel counts now", () => {
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `2026-11-30T07:00:00Z node-1 kernel: ${KILL}\n`);
    expect(events.look(NOW + 15 * SECOND)).toMatchObject({ events: [{}], oomKills: 0 });
  });

  it("takes the time, the text and the sender of a line of the journal in a file from itself", () => {
    const events = watch();
    events.look(NOW);
    const entry = { __CURSOR: "s=1", __REALTIME_TIMESTAMP: `${NOW - 5 * HOUR}000`, _TRANSPORT: "kernel" };
    const quoted = { ...entry, _TRANSPORT: "stdout", MESSAGE: `quoted: ${KILL}` };
    const bytes = { ...entry, MESSAGE: [...Buffer.from(KILL)] };
    appendFileSync(log, `${JSON.stringify(quoted)}\n${JSON.stringify(bytes)}\n`);
    const { events: told } = events.look(NOW + 15 * SECOND);
    expect(told).toMatchObject([{ at: "2026-11-30T07:00:00.000Z" }]);
    expect(told[0]?.text).toMatch(/^Out of memory: Killed process 4021/);
  });

  it("makes no mark of a kernel's line that a program quotes", () => {
    write(options.kmsg, "12,7,86395000000,-;myapp: Out of memory and no killable processes\n");
    const withKmsg = watch();
    expect(withKmsg.look(NOW).events).toEqual([]);
    rmSync(options.kmsg);
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `2026-11-30T12:00:01Z vm myapp[77]: saw in log: ${KILL}\n`);
    appendFileSync(log, `2026-11-30T12:00:01Z vm myapp: kernel: ${KILL}\n`);
    expect(events.look(NOW + 15 * SECOND).events).toEqual([]);
  });

  it("makes ten thousand lines one event with a count, sent again under its key", () => {
    const events = watch();
    events.look(NOW);
    const line = `2026-11-30T12:00:01Z node-1 kernel: ${CONNTRACK}\n`;
    appendFileSync(log, line);
    const [first] = events.look(NOW + 2 * SECOND).events;
    appendFileSync(log, line.repeat(9_999));
    expect(events.look(NOW + 17 * SECOND).events).toEqual([]);
    const { events: again } = events.look(NOW + 62 * SECOND);
    expect(again).toMatchObject([
      {
        key: first?.key,
        count: 10_000,
        title: "The conntrack table is full, packets are dropped, 10000 times",
      },
    ]);
  });

  it("takes the kernel's words from the kernel where it can be asked, and those of programs from their logs", () => {
    write(options.kmsg, "4,7,86395000000,-;TCP: out of memory -- consider tuning tcp_mem\n");
    const events = watch();
    events.look(NOW);
    appendFileSync(log, `2026-11-30T12:00:01Z node-1 kernel: ${CONNTRACK}\n`);
    appendFileSync(
      log,
      `2026-11-30T12:00:02Z node-1 kubelet[2211]: E1130 12:00:02.000000    2211 a.go:1] ${MKDIR}\n`,
    );
    expect(events.look(NOW + 15 * SECOND).events.map(({ title }) => title)).toEqual([
      "A cgroup could not be made: cannot allocate memory",
    ]);
  });

  it("tells what the kernel still remembers, and that once, over restarts", () => {
    write(options.kmsg, "4,7,86395000000,-;TCP: out of memory -- consider tuning tcp_mem\n");
    const first = watch();
    expect(first.look(NOW).events).toMatchObject([
      {
        at: "2026-11-30T11:59:55.000Z",
        key: "kmsg:8ab2d9a4-5c1e-4e0f-9c1b-2b1f6c1f0a11:7",
      },
    ]);
    appendFileSync(log, `2026-11-30T12:00:02Z node-1 kubelet[2211]: ${MKDIR}\n`);
    expect(first.look(NOW + 15 * SECOND).events).toHaveLength(1);
    const saved = parseEventPositions(JSON.stringify(first.positions()));
    const second = watch({ saved });
    expect(second.look(NOW + 30 * SECOND).events).toEqual([]);
    appendFileSync(
      log,
      `2026-11-30T12:00:40Z node-1 kubelet[2211]: ${MKDIR.replace("cannot allocate memory", "no space left on device")}\n`,
    );
    expect(second.look(NOW + 45 * SECOND).events).toHaveLength(1);
  });

  it("counts the kills that the kernel's log tells", () => {
    write(
      options.kmsg,
      "3,9,86395000000,-;Out of memory: Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB, shmem-rss:0kB\n",
    );
    const events = watch();
    expect(events.look(NOW).oomKills).toBe(1);
    expect(events.look(NOW + SECOND).oomKills).toBe(0);
  });

  it("tells that a runtime began anew, also while the collector was away", () => {
    service(100, "crio", 1000);
    service(101, "bash", 2000);
    const first = watch();
    expect(first.look(NOW)).toMatchObject({ events: [], restarted: false });
    rmSync(path.join(folder, "proc/100"), { recursive: true });
    service(200, "crio", 8_639_000);
    const again = first.look(NOW);
    expect(again).toMatchObject({
      restarted: true,
      events: [{ kind: "restart", title: "crio was restarted", at: "2026-11-30T11:59:50.000Z" }],
    });
    const saved = parseEventPositions(JSON.stringify(first.positions()));
    rmSync(path.join(folder, "proc/200"), { recursive: true });
    service(300, "crio", 8_639_900);
    expect(watch({ saved }).look(NOW).events).toMatchObject([{ title: "crio was restarted" }]);
  });

  it("reads the journal through journalctl and goes on at its cursor", async () => {
    const program = path.join(folder, "journalctl");
    // A byte that is no text makes journalctl print a list of bytes.
    const bytes = [
      ...Buffer.from(`${MKDIR.replace("cannot allocate memory", "no space left on device")} `),
      0xff,
    ];
    write(
      program,
      `#!/bin/sh
echo "$@" >> "${folder}/asked"
cat <<'END'
{"__CURSOR":"s=1;i=5","__REALTIME_TIMESTAMP":"${NOW}000","MESSAGE":"${MKDIR}"}
{"__CURSOR":"s=1;i=6","__REALTIME_TIMESTAMP":"${NOW}000","MESSAGE":"nothing of ours"}
{"__CURSOR":"s=1;i=7","__REALTIME_TIMESTAMP":"${NOW}000","_TRANSPORT":"journal","MESSAGE":[${bytes.join(",")}]}
END
exec sleep 60
`,
    );
    chmodSync(program, 0o755);
    const events = watch({ journalctl: [program], logs: [] });
    const first = events.look(NOW);
    let told = first.events;
    for (let tries = 0; tries < 200 && told.length === 0; tries += 1) {
      await delay(20);
      told = events.look(NOW).events;
    }
    expect(told).toMatchObject([
      { title: "A cgroup could not be made: cannot allocate memory" },
      { title: "A cgroup could not be made: no space left on device" },
    ]);
    expect(readFileSync(path.join(folder, "asked"), "utf8")).toContain("--output=json --all");
    expect(first.sources.journal).toEqual({ status: "ok" });
    expect(events.positions().journalCursor).toBe("s=1;i=7");
  });

  it("says why there is no journal", async () => {
    const events = watch({ journalctl: [path.join(folder, "none")], logs: [] });
    let { sources } = events.look(NOW);
    for (let tries = 0; tries < 200 && sources.journal?.status === "ok"; tries += 1) {
      await delay(20);
      ({ sources } = events.look(NOW));
    }
    expect(sources.journal).toEqual({ status: "absent", detail: "journalctl is not installed" });
  });
});

describe("parseEventPositions", () => {
  it.each(["", "{}", "[]", "null", '{"bootId":1}'])("starts anew with %j", (text) => {
    expect(parseEventPositions(text)).toBeUndefined();
  });

  it("leaves out what is damaged", () => {
    expect(
      parseEventPositions(
        '{"bootId":"b","kmsgSequence":-1,"files":{"a":{"inode":1},"b":{"inode":2,"offset":3}}}',
      ),
    ).toEqual({
      bootId: "b",
      kmsgSequence: undefined,
      journalCursor: undefined,
      files: { b: { inode: 2, offset: 3 } },
      services: {},
      counts: {},
    });
  });
});
