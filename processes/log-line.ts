const levels: Record<number, string> = {
  10: "trace",
  20: "debug",
  30: "",
  40: "warning",
  50: "error",
  60: "fatal",
};

/** One line of the supervisor: time, who speaks, what. `nowMs` is epoch milliseconds. */
export function formatLine(nowMs: number, part: string, text: string): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z ${part.padEnd(9)} ${text}`;
}

/**
 * What a child printed, made short: a JSON line becomes `level: message key=value`, other text stays as it is.
 * Undefined for an empty line. The server's lines have numbers as levels and `msg`, the collector's words and `message`.
 */
export function shortenChildLine(line: string): string | undefined {
  const plain = line.trimEnd();
  if (plain === "") return undefined;
  const fields = parseObject(plain);
  if (fields === undefined) return plain;
  const { level, time: _time, part, msg, message, err, pid: _pid, hostname: _hostname, ...rest } = fields;
  const text = msg ?? message;
  if (typeof text !== "string" || (typeof level !== "number" && typeof level !== "string")) return plain;
  const word = typeof level === "string" ? level : (levels[level] ?? "");
  return [
    word === "" || word === "info" ? "" : `${word}:`,
    typeof part === "string" ? `${part}:` : "",
    text,
    causeOf(err, text),
    ...Object.entries(rest).map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  ]
    .filter((each) => each !== "")
    .join(" ");
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function causeOf(err: unknown, text: string): string {
  if (typeof err !== "object" || err === null || !("message" in err)) return "";
  const { message } = err;
  return typeof message === "string" && message !== text ? `(${message})` : "";
}
