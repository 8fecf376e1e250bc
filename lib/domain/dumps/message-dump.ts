import type { Artefact, Recogniser } from "./artefact.ts";
import { lineAfter, rowOf, type DumpLine } from "./dump-line.ts";

/** One text that the kernel, the kubelet or a runtime prints when something of the kernel's runs out. */
interface Message {
  readonly kind: string;
  readonly pattern: RegExp;
}

const MKDIR = "mkdir:? .{0,40}/sys/fs/cgroup/.{0,400}?";

/** Most particular first. The wording differs between kernels and runtimes; the words chosen are common to all. */
const MESSAGES: readonly Message[] = [
  { kind: "memory cgroup not made: ENOMEM", pattern: new RegExp(`${MKDIR}cannot allocate memory`, "i") },
  { kind: "memory cgroup not made: ENOSPC", pattern: new RegExp(`${MKDIR}no space left on device`, "i") },
  { kind: "memory cgroup not made: EBUSY", pattern: new RegExp(`${MKDIR}device or resource busy`, "i") },
  {
    kind: "memory cgroup not made: EAGAIN",
    pattern: new RegExp(`${MKDIR}resource temporarily unavailable`, "i"),
  },
  { kind: "seccomp filter not loaded: errno 524", pattern: /(?:seccomp|bpf).{0,200}errno 524/i },
  { kind: "session key not made: quota", pattern: /session key.{0,100}disk quota exceeded/i },
  { kind: "inotify watches exhausted", pattern: /inotify_add_watch.{0,300}no space left on device/i },
  { kind: "inotify instances exhausted", pattern: /inotify_init.{0,100}too many open files/i },
  { kind: "slab allocation failed", pattern: /SLUB: Unable to allocate memory on (?:node|CPU)/ },
  { kind: "vmalloc failed", pattern: /vmap allocation for size \d+ failed|vmalloc error: size \d+/ },
  { kind: "percpu allocation failed", pattern: /percpu: allocation failed, size=/ },
  { kind: "conntrack table full", pattern: /nf_conntrack: (?:nf_conntrack: )?table full, dropping packet/ },
  { kind: "TCP out of memory", pattern: /TCP: out of memory -- consider tuning tcp_mem/ },
  {
    kind: "neighbour table overflow",
    pattern: /neighbou?r: \w+: neighbor table overflow!|Neighbour table overflow/,
  },
  { kind: "file-max reached", pattern: /VFS: file-max limit \d+ reached/ },
  { kind: "audit backlog", pattern: /audit_backlog=\d+ > audit_backlog_limit=|kauditd hold queue overflow/ },
  { kind: "fork rejected by pids controller", pattern: /cgroup: fork rejected by pids controller/ },
  { kind: "network device not released", pattern: /unregister_netdevice: waiting for \S+ to become free/ },
  { kind: "kmem limit written", pattern: /kmem\.limit_in_bytes is deprecated/ },
  { kind: "hung task", pattern: /INFO: task \S+ blocked for more than \d+ seconds/ },
];

/** The details that follow `SLUB: Unable to allocate memory`. */
const SLUB_DETAIL = /^\s*(?:cache: \S|node \d+: slabs: \d)/;
/** Events of Kubernetes and repeated lines of syslog say how often. */
const REPEATED = /\(x(\d{1,9}) over [\dhms]{1,20}\)|message repeated (\d{1,9}) times/;

/**
 * Single lines that name what ran out. A fact `messages:KIND_count` is how often the text says it happened. They prove a
 * limit, not an amount: *cannot allocate memory* from mkdir is about memory cgroups, RAM may be plentiful.
 */
export const messageDump: Recogniser = {
  kind: "message",
  recognise(lines) {
    const byKind = new Map<string, { lines: DumpLine[]; count: number }>();
    for (const line of lines) {
      if (line.text.length < 12 || line.text.length > 4000 || line.isCommand) continue;
      const kind = MESSAGES.find(({ pattern }) => pattern.test(line.text))?.kind;
      if (kind === undefined) continue;
      const found = byKind.get(kind) ?? { lines: [], count: 0 };
      byKind.set(kind, found);
      found.lines.push(line);
      const repeated = REPEATED.exec(line.text);
      found.count += Number(repeated?.[1] ?? repeated?.[2] ?? 1);
      for (
        let next = lineAfter(line, lines);
        next && SLUB_DETAIL.test(rowOf(next));
        next = lineAfter(next, lines)
      ) {
        found.lines.push(next);
      }
    }
    return [...byKind].map(([kind, found]): Artefact => ({
      kind,
      lines: found.lines,
      facts: new Map([[`messages:${kind}_count`, found.count]]),
      warnings: [],
    }));
  },
};
