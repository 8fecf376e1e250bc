import { readPaste } from "#lib/domain/diagnosis/read-paste.ts";
import type { PasteReading } from "#lib/domain/diagnosis/read-paste.ts";
import { redactText } from "#lib/domain/redaction/redact-text.ts";
import type { RedactedText } from "#lib/domain/redaction/redact-text.ts";
import { joinPieces } from "./join-pieces.ts";
import type { Piece } from "./join-pieces.ts";

/** What the page asks of the worker. */
export interface ReaderRequest {
  readonly id: number;
  readonly task: "read" | "redact";
  readonly pieces: readonly Piece[];
}

/** What the worker answers; the first message, without an id, says that it is there. */
export type ReaderAnswer =
  | { readonly id: undefined }
  | { readonly id: number; readonly task: "read"; readonly reading: PasteReading; readonly lines: number }
  | { readonly id: number; readonly task: "redact"; readonly redacted: RedactedText }
  | { readonly id: number; readonly task: "failed"; readonly message: string };

async function answerTo({ id, task, pieces }: ReaderRequest): Promise<ReaderAnswer> {
  try {
    const text = await joinPieces(pieces);
    if (task === "redact") return { id, task, redacted: redactText(text) };
    return {
      id,
      task,
      reading: readPaste(text),
      lines: text === "" ? 0 : text.replace(/\n$/, "").split("\n").length,
    };
  } catch (error) {
    return { id, task: "failed", message: error instanceof Error ? error.message : "It could not be read." };
  }
}

self.addEventListener("message", (event: MessageEvent<ReaderRequest>) => {
  void answerTo(event.data).then((answer) => self.postMessage(answer));
});
self.postMessage({ id: undefined } satisfies ReaderAnswer);
