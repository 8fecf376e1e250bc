const levels: Record<number, string> = {
  10: "trace",
  20: "debug",
  30: "",
  40: "warning",
  50: "error",
  60: "fatal",
};

interface PinoLine {
  level?: unknown;
  time?: unknown;
  part?: unknown;
  msg?: unknown;
  err?: { message?: unknown };
  pid?: unknown;
  hostname?: unknown;
  [field: string]: unknown;
}

/** One line of the supervisor: time, who speaks, what. `nowMs` is epoch milliseconds. */
export function formatLine(nowMs: number, part: string, text: string): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z ${part.padEnd(9)} ${text}`;
}

/**
 * What a child printed, made short: a JSON line of the logger becomes `level: message key=value`, other text stays as
 * it is. Undefined for an empty line.
 */
export function shortenChildLine(line: string): string | undefined {
  const plain = line.trimEnd();
  if (plain === "") return undefined;
  if (!plain.startsWith("{")) return plain;
  let parsed: PinoLine;
  try {
    parsed = JSON.parse(plain) as PinoLine;
  } catch {
    return plain;
  }
  const { level, time: _time, part, msg, err, pid: _pid, hostname: _hostname, ...rest } = parsed;
  if (typeof level !== "number" || typeof msg !== "string") return plain;
  const word = levels[level] ?? "";
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const cause = typeof err?.message === "string" && err.message !== msg ? [`(${err.message})`] : [];
  const from = typeof part === "string" ? `${part}: ` : "";
  return [`${word === "" ? "" : `${word}: `}${from}${msg}`, ...cause, ...fields].join(" ");
}
