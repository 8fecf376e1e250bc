import { recogniseMessage } from "./recognise-message.ts";

/** How often each kind of message was logged, and when last, epoch ms; kinds as patterns.ts names them. */
export interface LoggedMessages {
  readonly messages: Readonly<Record<string, number>>;
  readonly lastLoggedMs: Readonly<Record<string, number>>;
}

interface Mark {
  readonly madeBy: string;
  readonly title: string;
  readonly text: string | null;
  readonly atMs: number;
  readonly endsAtMs: number | null;
}

/** One mark stands for several lines of a stretch of time; its title then ends in their number. */
const TIMES = /, (\d{1,9}) times$/;

/** What marks that a machine made tell of messages. */
export function messagesOfMarks(marks: readonly Mark[]): LoggedMessages {
  const messages: Record<string, number> = {};
  const lastLoggedMs: Record<string, number> = {};
  for (const { madeBy, title, text, atMs, endsAtMs } of marks) {
    if (madeBy !== "machine") continue;
    const name = (recogniseMessage(text ?? "") ?? recogniseMessage(title))?.pattern.name;
    if (name === undefined) continue;
    messages[name] = (messages[name] ?? 0) + Number(TIMES.exec(title)?.[1] ?? 1);
    lastLoggedMs[name] = Math.max(lastLoggedMs[name] ?? 0, endsAtMs ?? atMs);
  }
  return { messages, lastLoggedMs };
}
