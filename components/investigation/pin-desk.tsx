"use client";

import Link from "next/link";
import { useCallback, useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import { investigation, investigationList, pin } from "#lib/contracts/investigation.ts";
import type { InvestigationList } from "#lib/contracts/investigation.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { ApiProblem, getJson, send, sendForAnswer } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { Toast } from "../ui/toast.tsx";
import { listenForPins } from "./pin-offer.ts";
import type { PinOffer } from "./pin-offer.ts";

const STORED = "plumbline-investigation";
const TOAST_MS = 12_000;

interface Target {
  readonly investigationId: number;
  readonly title: string;
}

/** What was pinned last, as it is told. */
interface Pinned extends Target {
  readonly number: number;
  readonly offer: PinOffer;
  /** The investigation began with it. */
  readonly isNew: boolean;
}

function remembered(): Target | undefined {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(STORED) ?? "null");
    if (typeof kept !== "object" || kept === null || !("investigationId" in kept) || !("title" in kept))
      return undefined;
    const { investigationId, title } = kept;
    return typeof investigationId === "number" && typeof title === "string"
      ? { investigationId, title }
      : undefined;
  } catch {
    return undefined;
  }
}

function remember(target: Target | undefined): void {
  try {
    if (target === undefined) window.localStorage.removeItem(STORED);
    else window.localStorage.setItem(STORED, JSON.stringify(target));
  } catch {
    // Without a store the next pin asks again.
  }
}

const bodyOf = ({ kind, address, caption, content }: PinOffer) => ({
  kind,
  address,
  caption,
  ...(content !== undefined && { content }),
});

/** Takes what pages offer and pins it to the investigation that was used last; asks once, where there is none. */
export function PinDesk() {
  const [asking, setAsking] = useState<PinOffer>();
  const [pinned, setPinned] = useState<Pinned>();
  const [fault, setFault] = useState("");

  const pinTo = useCallback(async (target: Target, offer: PinOffer) => {
    const made = await sendForAnswer(
      "POST",
      `/api/v1/investigations/${target.investigationId}/pins`,
      bodyOf(offer),
      pin,
    );
    remember(target);
    setFault("");
    setPinned({ ...target, number: made.number, offer, isNew: false });
  }, []);

  const take = useCallback(
    async (offer: PinOffer) => {
      const target = remembered();
      if (target === undefined) return setAsking(offer);
      try {
        await pinTo(target, offer);
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        if (error.code === "not_found") {
          remember(undefined);
          setAsking(offer);
        } else setFault(error.message);
      }
    },
    [pinTo],
  );
  useEffect(() => listenForPins((offer) => void take(offer)), [take]);
  useEffect(() => {
    if (!pinned && !fault) return;
    const timer = setTimeout(() => {
      setPinned(undefined);
      setFault("");
    }, TOAST_MS);
    return () => clearTimeout(timer);
  }, [pinned, fault]);

  const undo = async ({ investigationId, number, isNew }: Pinned) => {
    setPinned(undefined);
    const path = `/api/v1/investigations/${investigationId}`;
    try {
      await send("DELETE", isNew ? path : `${path}/pins/${number}`);
      if (isNew) remember(undefined);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setFault(error.message);
    }
  };
  return (
    <>
      <Toast shown={pinned !== undefined || fault !== ""}>
        {fault ? <span className="text-leaking-ink">Not pinned: {fault}</span> : null}
        {pinned && !fault ? (
          <>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              Pinned as {pinned.number} to{" "}
              <Link href={`/investigations/${pinned.investigationId}`} prefetch={false}>
                {isolatedText(pinned.title)}
              </Link>
            </span>
            <Button onClick={() => void undo(pinned)}>Undo</Button>
            <Button
              onClick={() => {
                const { offer } = pinned;
                void undo(pinned).then(() => setAsking(offer));
              }}
            >
              Elsewhere
            </Button>
          </>
        ) : null}
      </Toast>
      {asking ? (
        <Choice
          offer={asking}
          onPin={(target) => pinTo(target, asking)}
          onMade={(target) => {
            remember(target);
            setPinned({ ...target, number: 1, offer: asking, isNew: true });
          }}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
    </>
  );
}

/** A new investigation in one step, or one that is there. */
function Choice({
  offer,
  onPin,
  onMade,
  onClose,
}: {
  readonly offer: PinOffer;
  readonly onPin: (target: Target) => Promise<void>;
  readonly onMade: (target: Target) => void;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(offer.suggestion);
  const [known, setKnown] = useState<InvestigationList["investigations"]>([]);
  const [fault, setFault] = useState("");
  useEffect(() => {
    dialog.current?.showModal();
    field.current?.select();
    const ended = new AbortController();
    getJson("/api/v1/investigations?limit=20", investigationList, ended.signal).then(
      ({ investigations }) => setKnown(investigations),
      (error: unknown) => {
        if (!ended.signal.aborted)
          setFault(error instanceof ApiProblem ? error.message : "The list could not be read.");
      },
    );
    return () => ended.abort();
  }, []);
  const finish = async (work: () => Promise<void>) => {
    try {
      await work();
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setFault(error.message);
    }
  };
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    void finish(async () => {
      const made = await sendForAnswer(
        "POST",
        "/api/v1/investigations",
        {
          title,
          ...(offer.nodeIds.length > 0 && { scope: { nodes: offer.nodeIds } }),
          pins: [bodyOf(offer)],
        },
        investigation,
      );
      onMade({ investigationId: made.investigationId, title: made.title });
    });
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="pin-to"
      onClose={onClose}
      className="w-[34rem] max-w-[94vw] rounded-2 border border-line-3 bg-surface p-5 text-ink"
    >
      <h2 id="pin-to" className="mb-3 text-lg font-semibold">
        Pin to an investigation
      </h2>
      <form onSubmit={open} className="flex flex-wrap gap-2 text-sm">
        <input
          ref={field}
          aria-label="Title of a new investigation"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          maxLength={200}
          autoComplete="off"
          className={`${FIELD_CLASS} min-w-0 flex-1 basis-60`}
        />
        <Button type="submit" tone="primary">
          Open a new one
        </Button>
      </form>
      {known.length > 0 ? (
        <>
          <h3 className="mt-4 mb-1 text-sm text-ink-2">or pin to one that is there</h3>
          <ul className="max-h-64 overflow-y-auto">
            {known.map(({ investigationId, title: name, status }) => (
              <li key={investigationId} className="border-t border-line">
                <button
                  type="button"
                  className="flex min-h-8 w-full items-baseline gap-3 px-1 py-1 text-left text-sm hover:bg-surface-2"
                  onClick={() => void finish(() => onPin({ investigationId, title: name }))}
                >
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{isolatedText(name)}</span>
                  <span className="text-ink-2">{STATUS_TEXTS[status].word}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {fault ? (
        <p role="alert" className="mt-2 text-sm text-leaking-ink">
          {fault}
        </p>
      ) : null}
      <div className="mt-4 flex">
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
      </div>
    </dialog>
  );
}
