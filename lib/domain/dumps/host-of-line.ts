/** `[user@host dir]#` and `user@host:dir$`. */
const PROMPT =
  /^\s{0,4}(?:\([\w.-]{1,40}\) ?)?(?:\[[^\]\s@]{1,64}@([\w.-]{1,100})[^\]]{0,100}\] ?[#$%]|[\w.-]{1,64}@([\w.-]{1,64})[: ]?[^\s#$%>]{0,100} ?[#$%>])(?=\s|$)/;
/** A command that runs on another machine than the one it is typed on. */
const ELSEWHERE =
  /\bssh\s+(?:-[BbcDEeFIiJLlmOopQRSWw]\s*[^\s-]\S{0,100}\s+|-\w{1,20}\s+){0,8}(?:[\w.-]{1,64}@)?([a-z0-9][\w.-]{0,100})\s+\S|\bnode\/([a-z0-9][\w.-]{0,100})/;

const HEADINGS: readonly RegExp[] = [
  // Ansible and parallel-ssh, before what each machine printed.
  /^\s{0,4}([\w.-]{1,100}) \| (?:CHANGED|SUCCESS|FAILED!?|UNREACHABLE!?)(?: \| rc=-?\d{1,5})?(?: \(\w{1,10}\))? (?:>>|=>)/,
  /^\[\d{1,5}\] \d{2}:\d{2}:\d{2} \[(?:SUCCESS|FAILURE)\] (?:[\w.-]{1,64}@)?([\w.-]{1,100})(?=\s|$)/,
  // A name between rulers.
  /^\s{0,4}(?:={2,80}|-{2,80}|\*{2,80}|~{2,80}|#{2,80}|\+{2,80}|>{2,20})\s{0,4}(?:(?:host|hostname|server|machine|node)\b[:= ]\s{0,4})?([\w.-]{1,100})\s{0,4}:?(?:={2,80}|-{2,80}|\*{2,80}|~{2,80}|#{2,80}|\+{2,80}|<{2,20})\s*$/i,
];

/** `==> node-1 <==`, `==> pod/agent-1 <==`, `==> node-1/meminfo <==`: what head, tail and loops over machines print; most often a file's name. */
const ARROWS = /^\s{0,4}==> (?:\.\/|pods?\/|nodes?\/)?([\w.-]{1,100})(?:\/[\w./-]{1,200})? <==\s*$/;
/** Files of /proc, /sys and of people that collect them: not what a machine is called. */
const NO_HOST_FILE =
  /^(?:proc|sys|etc|var|run|tmp|stat|status|mounts?|mountinfo|modules|lsmod|loadavg|swaps|version|cmdline|cpuinfo|interrupts|softirqs|keys|key-users|file-nr|inode-nr|inode-state|dentry-state|boot_id|osrelease|limits|maps|smaps|smaps_rollup|arcstats|nf_conntrack.*|protocols|pressure|net|dump|paste|pasted.*|text|data|report|messages|syslog|journal.*|kubelet|sos.*|plumbline.*|.*\.(?:stat|current|max|md|ya?ml|conf|info|dat|gz|xz|zst|dump|prom|html?|json|sh|py|meminfo))$/i;
/** A file that is called after the machine it is of. */
const FILE_OF_HOST =
  /^((?:node|host|worker|master|server|srv|control-plane|ip)[-_]?[a-z0-9][\w-]{0,60})\.(?:txt|log|out)$/i;

/** Names between rulers that tell samples of one machine apart, or what follows. */
const NO_HOST =
  /^(?:[\d._:-]*|(?:before|after|first|second|third|last|start|begin|end|initial|final|now|then|later|earlier|today|yesterday|tomorrow|morning|noon|evening|night|baseline|day|hour|week|month|min|minute|t|run|sample|step|round|iteration|iter|snapshot|snap|test|boot|reboot|restart|output|result|cut|here|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-_.]?\d*(?:st|nd|rd|th)?|.*(?:meminfo|slabinfo|vmstat|zoneinfo|buddyinfo|vmallocinfo|slabtop|cgroups|sockstat|dmesg|uptime|memory|kernel|snip|^free$|^df$|^ps$|^top$|^smem$).*|.*\.(?:txt|log|out|csv|json))$/i;

/** The machine that a line says what follows is of, by its short name; `undefined` where it says none. */
export function hostOfPrompt(text: string, command: string): string | undefined {
  const elsewhere = ELSEWHERE.exec(command);
  const prompt = PROMPT.exec(text);
  return shortName(elsewhere?.[1] ?? elsewhere?.[2] ?? prompt?.[1] ?? prompt?.[2]);
}

/** The same of a heading between what several machines printed. */
export function hostOfHeading(text: string): string | undefined {
  if (text.length > 300) return undefined;
  const arrowed = ARROWS.exec(text)?.[1];
  if (arrowed !== undefined) return hostOfArrow(arrowed, text);
  const found = HEADINGS.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
  return found === undefined || NO_HOST.test(found) ? undefined : shortName(found);
}

/** A name alone that is no file's; of a path its first directory, where that is numbered as machines are. */
function hostOfArrow(name: string, line: string): string | undefined {
  const ofFile = FILE_OF_HOST.exec(name)?.[1];
  if (ofFile !== undefined) return shortName(ofFile);
  const isPath = line.slice(line.indexOf(name) + name.length).startsWith("/");
  if (NO_HOST.test(name) || NO_HOST_FILE.test(name) || (isPath && !/\d/.test(name))) return undefined;
  return shortName(name);
}

/** The same of a name before a line, as pdsh and syslog print it; grep prints names of files there. */
export function hostOfPrefix(name: string | undefined): string | undefined {
  return name === undefined || NO_HOST.test(name) ? undefined : shortName(name);
}

/** A machine is called by its name with its domain or without; addresses are whole. */
function shortName(name: string | undefined): string | undefined {
  if (name === undefined || /^[\d.]+$/.test(name)) return name;
  return name.toLowerCase().split(".")[0];
}
