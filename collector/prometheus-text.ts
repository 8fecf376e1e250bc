/** One sample of a text exposition. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][\w:]*/;
const LABEL = /\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?/y;
const LONGEST_LINE = 16 * 1024;

/**
 * The samples of a Prometheus or OpenMetrics text whose name is wanted; comments, exemplars and time stamps are passed over. A line
 * that is none is left out. Reads some tens of MB/s, which is what a kubelet with many pods answers.
 */
export function parsePrometheusText(text: string, isWanted: (name: string) => boolean): MetricSample[] {
  const samples: MetricSample[] = [];
  for (let begin = 0; begin < text.length;) {
    const newline = text.indexOf("\n", begin);
    const end = newline === -1 ? text.length : newline;
    if (text[begin] !== "#" && end - begin < LONGEST_LINE) {
      const sample = parseLine(text.slice(begin, end), isWanted);
      if (sample !== undefined) samples.push(sample);
    }
    begin = end + 1;
  }
  return samples;
}

function parseLine(line: string, isWanted: (name: string) => boolean): MetricSample | undefined {
  const name = NAME.exec(line)?.[0];
  if (name === undefined || !isWanted(name)) return undefined;
  const labels: Record<string, string> = {};
  let rest = line.slice(name.length);
  if (rest.startsWith("{")) {
    LABEL.lastIndex = 1;
    let end = 1;
    for (let match = LABEL.exec(rest); match !== null; match = LABEL.exec(rest)) {
      const [, label = "", value = ""] = match;
      labels[label] = value.replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char));
      end = LABEL.lastIndex;
    }
    const closing = rest.slice(end).trimStart();
    if (!closing.startsWith("}")) return undefined;
    rest = closing.slice(1);
  }
  const [number = ""] = rest.trim().split(/\s+/);
  const value = number === "" ? Number.NaN : Number(number.replace(/^\+?Inf$/, "Infinity"));
  return Number.isNaN(value) ? undefined : { name, labels, value };
}
