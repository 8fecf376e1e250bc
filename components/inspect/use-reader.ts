"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { PasteReading } from "#lib/domain/diagnosis/read-paste.ts";
import type { RedactedText } from "#lib/domain/redaction/redact-text.ts";
import type { Piece } from "./join-pieces.ts";
import type { ReaderAnswer, ReaderRequest } from "./reader-worker.ts";

/** A reading, and how long the text was. */
export interface ReadText {
  readonly reading: PasteReading;
  readonly lines: number;
}

type Answered = Exclude<ReaderAnswer, { id: undefined }>;

/** The worker that reads texts beside the page: the page stays at hand while it reads, and needs no network. */
export interface Reader {
  /** True once the worker is loaded; from then on nothing is fetched. */
  readonly ready: boolean;
  /** The worker could not be loaded. */
  readonly failed: boolean;
  readonly read: (pieces: readonly Piece[]) => Promise<ReadText>;
  readonly redact: (pieces: readonly Piece[]) => Promise<RedactedText>;
}

/** Starts the worker with the page and ends it with it. */
export function useReader(): Reader {
  const worker = useRef<Worker>(undefined);
  const waiting = useRef(new Map<number, (answer: Answered) => void>());
  const nextId = useRef(1);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  useEffect(() => {
    const own = new Worker(new URL("./reader-worker.ts", import.meta.url), { type: "module" });
    worker.current = own;
    own.addEventListener("message", ({ data }: MessageEvent<ReaderAnswer>) => {
      if (data.id === undefined) return setState("ready");
      waiting.current.get(data.id)?.(data);
      waiting.current.delete(data.id);
    });
    own.addEventListener("error", () => setState("failed"));
    return () => own.terminate();
  }, []);
  const ask = useCallback((task: ReaderRequest["task"], pieces: readonly Piece[]): Promise<Answered> => {
    const id = nextId.current;
    nextId.current += 1;
    return new Promise((resolve) => {
      waiting.current.set(id, resolve);
      worker.current?.postMessage({ id, task, pieces } satisfies ReaderRequest);
    });
  }, []);
  const read = useCallback(
    async (pieces: readonly Piece[]): Promise<ReadText> => {
      const answer = await ask("read", pieces);
      if (answer.task !== "read")
        throw new Error(answer.task === "failed" ? answer.message : "unexpected answer");
      return answer;
    },
    [ask],
  );
  const redact = useCallback(
    async (pieces: readonly Piece[]): Promise<RedactedText> => {
      const answer = await ask("redact", pieces);
      if (answer.task !== "redact")
        throw new Error(answer.task === "failed" ? answer.message : "unexpected answer");
      return answer.redacted;
    },
    [ask],
  );
  return { ready: state === "ready", failed: state === "failed", read, redact };
}
