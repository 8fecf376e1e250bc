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
  const found = HEADINGS.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
  return found === undefined || NO_HOST.test(found) ? undefined : shortName(found);
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
