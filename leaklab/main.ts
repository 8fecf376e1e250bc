import { readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { leaveExitFiles } from "./exit-files.ts";
import { holdMemory, KINDS, type Kind } from "./hold-memory.ts";
import { DEFAULT_RUN_DIRECTORY, LAB_NAME, locateLab, messageOf, tearDownLab } from "./lab.ts";
import { ownBand, placeOf, type Leak } from "./leak.ts";
import { LEAKS } from "./leak-catalogue.ts";
import { CannotRun, countDyingCgroups, readMeminfo } from "./machine.ts";
import { findRunningOwner } from "./owner.ts";
import { bandLabel, middleOf, runLeak, TABLE_HEAD, tableRow } from "./run-leak.ts";

const SHOWN = [
  "MemFree",
  "Cached",
  "Shmem",
  "AnonPages",
  "SUnreclaim",
  "KernelStack",
  "PageTables",
  "VmallocUsed",
];

/** Ctrl-C and `kill` end a run in order; the second one is the shell's business again. */
function stopOnSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return controller.signal;
}

/** A duration such as `90`, `90s`, `10m` or `2h`, in milliseconds. */
function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? "s"];
  if (!match || unit === undefined)
    throw new InvalidArgumentError("expected a duration such as 90s, 10m or 2h");
  return Number(match[1]) * unit;
}

/** An option that takes a duration; what is meant when it is not given, as people write it. */
function duration(flags: string, description: string, byDefault: string): Option {
  return new Option(flags, `${description}; seconds unless it says ms, m or h`)
    .default(parseDuration(byDefault), byDefault)
    .argParser(parseDuration);
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError("expected a number above 0");
  return value;
}

function parseRates(text: string): [number, ...number[]] {
  const [first = "", ...more] = text.split(",");
  return [parsePositive(first), ...more.map(parsePositive)];
}

function parsePositiveInteger(text: string): number {
  const value = parsePositive(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError("expected a whole number above 0");
  return value;
}

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`);
}

function describeMeminfo(before?: ReadonlyMap<string, number>): string {
  const now = readMeminfo();
  return SHOWN.filter((key) => now.has(key))
    .map((key) => {
      const kib = now.get(key) ?? 0;
      if (before === undefined) return `${key} ${kib} KiB`;
      const change = kib - (before.get(key) ?? 0);
      return `${key} ${change >= 0 ? "+" : "−"}${Math.abs(change)} KiB`;
    })
    .join(", ");
}

const runDirectory = new Option(
  "--run-dir <dir>",
  "where the lab keeps its tmpfs; the collector can watch DIR/exits",
).default(DEFAULT_RUN_DIRECTORY);

const program = new Command("leaklab").description(
  "Makes real kernel memory leaks of a known size on this machine, and takes them back.",
);

program
  .command("exit-files")
  .description("containers that leave a file on a tmpfs, which keeps their memory cgroup from dying")
  .option(
    "--rate <n,...>",
    "containers a second; several, separated by commas, take turns and make a rate that varies",
    parseRates,
    [20] as [number, ...number[]],
  )
  .addOption(duration("--turn <time>", "how long each of several rates lasts", "5m"))
  .option("--count <n>", "containers altogether", parsePositiveInteger, 5000)
  .option("--duration <time>", "end after this time even when the count is not reached", parseDuration)
  .addOption(duration("--live <time>", "how long each container lives", "1s"))
  .addOption(duration("--hold <time>", "leave the leak standing for this long before cleaning up", "0s"))
  .option("--keep", "leave the leak in place at the end", false)
  .option("--max-mib <n>", "never hold more than this", parsePositiveInteger, 512)
  .addOption(runDirectory)
  .action(
    async (options: {
      rate: [number, ...number[]];
      turn: number;
      count: number;
      duration?: number;
      live: number;
      hold: number;
      keep: boolean;
      maxMib: number;
      runDir: string;
    }) => {
      const result = await leaveExitFiles(locateLab(options.runDir), {
        rates: options.rate,
        turnMs: options.turn,
        count: options.count,
        liveSeconds: options.live / 1000,
        durationMs: options.duration,
        holdMs: options.hold,
        keep: options.keep,
        mostMib: options.maxMib,
        report: say,
        stop: stopOnSignal(),
      });
      if (result.failed > 0) process.exitCode = 1;
    },
  );

const placeFor = (leak: Leak) => placeOf(leak.name, readFileSync("/proc/self/mounts", "utf8"));

for (const leak of LEAKS) {
  program
    .command(leak.name)
    .description(leak.summary)
    .option("--count <n>", `how many ${leak.unit}, at most ${leak.most}`, parsePositiveInteger, leak.count)
    .addOption(
      duration("--hold <time>", "leave the leak standing for this long before it is taken back", "10s"),
    )
    .option(
      "--keep",
      leak.stays ? "leave it in place at the end" : "not possible: it ends with its process",
      false,
    )
    .action(async (options: { count: number; hold: number; keep: boolean }) => {
      await runLeak(leak, placeFor(leak), {
        count: options.count,
        holdMs: options.hold,
        keep: options.keep,
        report: say,
        stop: stopOnSignal(),
      });
    });
}

program
  .command("list")
  .description("the leaks of a known size: what each moves, and what this machine lacks for it")
  .action(() => {
    for (const leak of LEAKS) {
      const predicted = leak.predict(leak.count, os.cpus().length);
      const band = ownBand(predicted);
      const amount = `${leak.count} ${leak.unit}: ${bandLabel(band)} +${predicted[band]} KiB`;
      console.log(`${leak.name.padEnd(18)} ${amount}; ${leak.missing() ?? "can run here"}`);
    }
  });

program
  .command("measure")
  .description("make each leak in turn and print what it moved, as a table in Markdown")
  .argument("[leak...]", "only these")
  .option("--rounds <n>", "how often each; the middle is told", parsePositiveInteger, 3)
  .action(async (names: string[], { rounds }: { rounds: number }) => {
    const stop = stopOnSignal();
    const rows: string[] = [];
    for (const leak of LEAKS.filter(({ name }) => names.length === 0 || names.includes(name))) {
      if (stop.aborted) break;
      try {
        const options = { count: leak.count, holdMs: 0, keep: false, report: say, stop };
        const first = await runLeak(leak, placeFor(leak), options);
        const more = [];
        while (more.length + 1 < rounds && !stop.aborted)
          more.push(await runLeak(leak, placeFor(leak), options));
        rows.push(tableRow(leak, middleOf([first, ...more])));
      } catch (error) {
        if (!(error instanceof CannotRun)) throw error;
        say(error.message);
      }
    }
    console.log([TABLE_HEAD, ...rows].join("\n"));
  });

/** Takes away what runs left, also one that was killed; a run that goes on is left alone. */
async function cleanLeaks(): Promise<void> {
  for (const leak of LEAKS) {
    const place = placeFor(leak);
    const owner = findRunningOwner(place.state);
    if (owner !== undefined) {
      say(`${leak.name} runs as process ${owner}: Ctrl-C there, or kill it first`);
      continue;
    }
    const removed = await leak.clean(place);
    rmSync(place.state, { recursive: true, force: true });
    if (removed !== "") say(`${leak.name}: removed ${removed}`);
  }
  for (const directory of ["/dev/shm", "/run", os.tmpdir(), "/var/tmp"]) removeHeldFiles(directory);
}

/** Files of `move` whose process is gone. */
function removeHeldFiles(directory: string): void {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return;
  }
  for (const name of names) {
    const pid = new RegExp(`^${LAB_NAME}-(\\d+)-[A-Za-z0-9]{6}$`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(path.join(directory, name), { recursive: true, force: true });
    say(`move: removed ${path.join(directory, name)}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

program
  .command("clean")
  .description("remove everything a run left behind, also one that was killed")
  .addOption(runDirectory)
  .action(async (options: { runDir: string }) => {
    await cleanLeaks();
    const lab = locateLab(options.runDir);
    const owner = findRunningOwner(lab.runDirectory);
    if (owner !== undefined) {
      say(`a run is going on (process ${owner}); asking it to stop`);
      process.kill(owner, "SIGTERM");
      const waitUntil = performance.now() + 20_000;
      while (findRunningOwner(lab.runDirectory) !== undefined && performance.now() < waitUntil)
        await sleep(100);
    }
    const removed = await tearDownLab(lab);
    say(`removed ${removed.exitFiles} files and ${removed.cgroups} live cgroups`);
    await sleep(1000);
    say(`dying cgroups now ${countDyingCgroups(lab.hierarchy) ?? "not known"}`);
  });

program
  .command("move")
  .description("take memory of one kind, hold it and give it back")
  .addOption(new Option("--what <kind>", "kind of memory").choices(KINDS).makeOptionMandatory())
  .option("--mib <n>", "how much", parsePositiveInteger, 256)
  .addOption(duration("--hold <time>", "how long", "1m"))
  .action(async (options: { what: Kind; mib: number; hold: number }) => {
    const stop = stopOnSignal();
    const before = readMeminfo();
    say(`before: ${describeMeminfo()}`);
    const held = await holdMemory(options.what, options.mib);
    try {
      say(
        `holding ${held.kib} KiB of ${options.what} for ${options.hold / 1000} s: ${describeMeminfo(before)}`,
      );
      await sleep(options.hold, undefined, { signal: stop }).catch(() => undefined);
      say(`at the end: ${describeMeminfo(before)}`);
    } finally {
      await held.release();
    }
    say("released");
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CannotRun)) throw error;
  console.error(`leaklab: ${messageOf(error)}`);
  process.exitCode = 3;
}
