import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { MetricsAddress } from "./service-metrics.ts";

/** Where this node's file systems are seen. */
export interface Places {
  proc: string;
  sys: string;
  root: string;
}

/** What is needed to read one snapshot. */
export interface SampleConfig {
  node: string;
  labels: Record<string, string>;
  places: Places;
  /** Directories whose entries are counted, as the node calls them; the others of the runtimes only where they exist. */
  watch: string[];
}

export interface RunConfig extends SampleConfig {
  snapshotsUrl: URL;
  tokenFile: string | undefined;
  readToken: () => string | undefined;
  intervalMs: number;
  pushMs: number;
  spoolDirectory: string;
  spoolBytes: number;
  /** Log files that are followed, as the node calls them; those that nobody asked for need not be there. */
  logs: { file: string; asked: boolean }[];
  metrics: MetricsAddress[];
}

export type Command =
  | { command: "run"; config: RunConfig }
  | { command: "print"; config: SampleConfig }
  | { command: "read"; file: string; json: boolean }
  | {
      command: "explain";
      file: string | undefined;
      json: boolean;
      overMs: number | undefined;
      config: SampleConfig;
    }
  | { command: "help" }
  | { command: "version" };

/** The command line or the environment is wrong; the message is for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export const USAGE = `usage: plumbline-collector run --server URL [options]
       plumbline-collector print [options]
       plumbline-collector read [--json] [FILE|-]
       plumbline-collector explain [--json] [--over TIME] [FILE|-]

Reads how the kernel of this node uses its memory. It changes nothing on the node.

  run      sample and send to a server until stopped
  print    print one snapshot as JSON
  read     say what a text holds that somebody pasted: files of /proc, output of free, slabtop,
           smem, pieces of the kernel's log, in any order; FILE or standard input
  explain  say what such a text means: what holds the memory, whether it leaks, which known leak it
           is, what speaks for and against, what to look at next. Without FILE and without a text on
           standard input: of this machine. Exits 0 without and 1 with a finding above info, 2 when
           nothing was recognised

options (the environment variable in brackets is used when the option is not given):
  --server URL         where to send to, http or https             [PLUMBLINE_SERVER]
  --token-file FILE    file with the token; read again when the server does not take it
                                                                   [PLUMBLINE_TOKEN_FILE, or the token in PLUMBLINE_TOKEN]
  --interval TIME      between samples, at the full interval of the clock; 15s    [PLUMBLINE_INTERVAL]
  --push TIME          between pushes; at once after an OOM kill; 30s             [PLUMBLINE_PUSH]
  --spool DIR          where snapshots wait for the server         [PLUMBLINE_SPOOL, STATE_DIRECTORY]
  --spool-mib N        most that may wait there; the oldest go first; 64          [PLUMBLINE_SPOOL_MIB]
  --node NAME          name of this node; the host name            [PLUMBLINE_NODE]
  --label KEY=VALUE    label of this node, repeated                [PLUMBLINE_LABELS, separated by commas]
  --watch DIR          count the entries of DIR, repeated; /run/crio/exits and /run/libpod/exits
                       are counted where they exist                [PLUMBLINE_WATCH, separated by colons]
  --log FILE           follow FILE for messages of the kernel, the kubelet and runtimes, repeated;
                       /var/log/messages and /var/log/syslog where they exist   [PLUMBLINE_LOG, separated by colons]
  --kubelet-metrics URL
                       count containers and evictions by the metrics of the kubelet   [PLUMBLINE_KUBELET_METRICS]
  --kubelet-token-file FILE  --kubelet-ca-file FILE  --kubelet-insecure
                       how the kubelet lets in: a token; who signed its certificate, or nobody that is known
                                        [PLUMBLINE_KUBELET_TOKEN_FILE, _KUBELET_CA_FILE, _KUBELET_INSECURE=1]
  --runtime-metrics URL
                       count containers by the metrics of CRI-O or containerd         [PLUMBLINE_RUNTIME_METRICS]
  --proc DIR --sys DIR --root DIR
                       where /proc, /sys and / of the node are mounted            [PLUMBLINE_PROC, _SYS, _ROOT]
  --json               read, explain: as JSON
  --over TIME          explain: read this machine twice, so far apart, and look at what grows
`;

type Environment = Readonly<Record<string, string | undefined>>;

const OPTIONS = {
  server: { type: "string" },
  "token-file": { type: "string" },
  interval: { type: "string" },
  push: { type: "string" },
  spool: { type: "string" },
  "spool-mib": { type: "string" },
  node: { type: "string" },
  label: { type: "string", multiple: true },
  watch: { type: "string", multiple: true },
  log: { type: "string", multiple: true },
  "kubelet-metrics": { type: "string" },
  "kubelet-token-file": { type: "string" },
  "kubelet-ca-file": { type: "string" },
  "kubelet-insecure": { type: "boolean" },
  "runtime-metrics": { type: "string" },
  proc: { type: "string" },
  sys: { type: "string" },
  root: { type: "string" },
  json: { type: "boolean" },
  over: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** The environment of this process; the only place that reads it. */
export function readEnvironment(): Environment {
  return process.env;
}

/** Command line and environment as one object. Throws `ConfigError` naming the option that is wrong. */
export function parseConfig(args: readonly string[], environment: Environment): Command {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { command: "help" };
  if (values.version === true) return { command: "version" };
  const [command, ...rest] = positionals;
  if (command === "read") {
    const [file = "-", ...more] = rest;
    if (more.length > 0) throw new ConfigError("read takes one file; put several into one text");
    return { command, file, json: values.json === true };
  }
  if (command !== "explain") {
    if (values.json === true) throw new ConfigError("--json belongs to read and explain");
    if (values.over !== undefined) throw new ConfigError("--over belongs to explain");
  }
  const [file, ...more] = command === "explain" ? rest : [];
  if (more.length > 0) throw new ConfigError("explain takes one file; put several into one text");
  if (file !== undefined && values.over !== undefined)
    throw new ConfigError("--over reads this machine twice: it takes no file");
  if (command !== "explain" && rest.length > 0)
    throw new ConfigError(`unexpected argument: ${rest.join(" ")}`);

  const sample: SampleConfig = {
    node: values.node ?? nonEmpty(environment.PLUMBLINE_NODE) ?? os.hostname(),
    labels: parseLabels(values.label ?? splitList(environment.PLUMBLINE_LABELS, ",")),
    places: {
      proc: values.proc ?? nonEmpty(environment.PLUMBLINE_PROC) ?? "/proc",
      sys: values.sys ?? nonEmpty(environment.PLUMBLINE_SYS) ?? "/sys",
      root: values.root ?? nonEmpty(environment.PLUMBLINE_ROOT) ?? "/",
    },
    watch: absolutePaths("--watch", values.watch ?? splitList(environment.PLUMBLINE_WATCH, ":")),
  };
  if (command === "print") return { command, config: sample };
  if (command === "explain") {
    const overMs = values.over === undefined ? undefined : parseTime("--over", values.over, "60s");
    return { command, file, json: values.json === true, overMs, config: sample };
  }
  if (command !== "run") {
    throw new ConfigError(
      command === undefined ? "say what to do: run, print, read or explain" : `unknown command: ${command}`,
    );
  }

  const server = values.server ?? nonEmpty(environment.PLUMBLINE_SERVER);
  if (server === undefined) throw new ConfigError("run needs --server URL");
  const intervalMs = parseTime("--interval", values.interval ?? environment.PLUMBLINE_INTERVAL, "15s");
  const tokenFile = values["token-file"] ?? nonEmpty(environment.PLUMBLINE_TOKEN_FILE);
  const config: RunConfig = {
    ...sample,
    snapshotsUrl: parseServer(server),
    tokenFile,
    readToken: tokenReader(tokenFile, nonEmpty(environment.PLUMBLINE_TOKEN)),
    intervalMs,
    pushMs: parseTime("--push", values.push ?? environment.PLUMBLINE_PUSH, "30s"),
    spoolDirectory: values.spool ?? nonEmpty(environment.PLUMBLINE_SPOOL) ?? defaultSpool(environment),
    spoolBytes: parseMib("--spool-mib", values["spool-mib"] ?? environment.PLUMBLINE_SPOOL_MIB, 64),
    logs: parseLogs(values.log ?? splitList(environment.PLUMBLINE_LOG, ":")),
    metrics: [
      ...parseMetrics(
        "--kubelet-metrics",
        "kubelet",
        values["kubelet-metrics"] ?? environment.PLUMBLINE_KUBELET_METRICS,
        {
          tokenFile: values["kubelet-token-file"] ?? nonEmpty(environment.PLUMBLINE_KUBELET_TOKEN_FILE),
          caFile: values["kubelet-ca-file"] ?? nonEmpty(environment.PLUMBLINE_KUBELET_CA_FILE),
          insecure: values["kubelet-insecure"] ?? environment.PLUMBLINE_KUBELET_INSECURE === "1",
        },
      ),
      ...parseMetrics(
        "--runtime-metrics",
        "runtime",
        values["runtime-metrics"] ?? environment.PLUMBLINE_RUNTIME_METRICS,
        { tokenFile: undefined, caFile: undefined, insecure: false },
      ),
    ],
  };
  return { command, config };
}

const DEFAULT_LOGS = ["/var/log/messages", "/var/log/syslog"];

function parseLogs(files: readonly string[]): RunConfig["logs"] {
  if (files.length === 0) return DEFAULT_LOGS.map((file) => ({ file, asked: false }));
  return absolutePaths("--log", files).map((file) => ({ file, asked: true }));
}

function absolutePaths(option: string, paths: readonly string[]): string[] {
  return paths.map((each) => {
    if (!path.isAbsolute(each)) throw new ConfigError(`${option} ${each}: expected an absolute path`);
    return path.normalize(each);
  });
}

function parseMetrics(
  option: string,
  of: MetricsAddress["of"],
  text: string | undefined,
  access: Pick<MetricsAddress, "tokenFile" | "caFile" | "insecure">,
): MetricsAddress[] {
  if (nonEmpty(text) === undefined || text === undefined) return [];
  return [{ of, url: parseAddress(option, text, "https://127.0.0.1:10250/metrics"), ...access }];
}

function parseAddress(option: string, text: string, example: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError(`${option} ${text}: expected an address such as ${example}`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ConfigError(`${option} ${text}: expected http or https`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError(`${option}: put the token into a file, not into the address`);
  }
  return url;
}

function parseServer(text: string): URL {
  const url = parseAddress("--server", text, "https://plumbline.example:4400");
  const base = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return new URL(`${base}api/v1/snapshots`, url);
}

/** A token file is read at each call, so that a new token needs no restart; one that cannot be read is no token. */
function tokenReader(file: string | undefined, token: string | undefined): () => string | undefined {
  if (file === undefined) return () => token;
  return () => {
    try {
      return nonEmpty(readFileSync(file, "utf8").trim());
    } catch {
      return undefined;
    }
  };
}

function defaultSpool(environment: Environment): string {
  const given = nonEmpty(environment.STATE_DIRECTORY);
  if (given !== undefined) return path.join(given.split(":")[0] ?? given, "spool");
  if (process.getuid?.() === 0) return "/var/lib/plumbline-collector/spool";
  const state = nonEmpty(environment.XDG_STATE_HOME) ?? path.join(os.homedir(), ".local/state");
  return path.join(state, "plumbline-collector/spool");
}

function parseTime(option: string, text: string | undefined, fallback: string): number {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(nonEmpty(text) ?? fallback);
  const unit = { ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? "s"] ?? 1000;
  const ms = match === null ? Number.NaN : Number(match[1]) * unit;
  if (!(ms >= 100 && ms <= 3_600_000)) {
    throw new ConfigError(`${option} ${text}: expected a time from 100ms to 60m, such as 15s`);
  }
  return ms;
}

function parseMib(option: string, text: string | undefined, fallback: number): number {
  const mib = nonEmpty(text) === undefined ? fallback : Number(text);
  if (!(mib >= 1 && mib <= 1024 * 1024)) throw new ConfigError(`${option} ${text}: expected MiB, 1 or more`);
  return Math.floor(mib * 1024 * 1024);
}

function parseLabels(pairs: readonly string[]): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new ConfigError(`--label ${pair}: expected KEY=VALUE`);
    labels[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return labels;
}

function splitList(text: string | undefined, separator: string): string[] {
  return (text ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
