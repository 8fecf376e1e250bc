"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { investigationList } from "#lib/contracts/investigation.ts";
import { nodeList } from "#lib/contracts/node.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { ApiProblem, getJson } from "../node/api-client.ts";
import { Button } from "../ui/button.tsx";
import { FIELD_CLASS } from "../ui/field.tsx";
import { useKeys } from "../ui/use-keys.ts";
import type { PageLink } from "./pages.ts";

/** How long somebody must have stopped typing before the server is asked. */
const REST_MS = 150;
const MOST_OF_A_KIND = 8;

/** Somewhere to go. */
interface Place {
  readonly href: string;
  readonly label: string;
  readonly kind: "page" | "node" | "investigation";
}

async function findPlaces(text: string, signal: AbortSignal): Promise<readonly Place[]> {
  const search = encodeURIComponent(text);
  const [nodes, investigations] = await Promise.all([
    getJson(`/api/v1/nodes?search=${search}&pageSize=${MOST_OF_A_KIND}`, nodeList, signal),
    getJson(`/api/v1/investigations?search=${search}&limit=${MOST_OF_A_KIND}`, investigationList, signal),
  ]);
  return [
    ...nodes.nodes.map(({ nodeId, name }) => ({
      href: `/nodes/${nodeId}`,
      label: name,
      kind: "node" as const,
    })),
    ...investigations.investigations.map(({ investigationId, title }) => ({
      href: `/investigations/${investigationId}`,
      label: title,
      kind: "investigation" as const,
    })),
  ];
}

/** Finds a page, a node or an investigation by a part of its name; opened by Ctrl+K or its button. */
export function SearchDialog({ pages }: { readonly pages: readonly PageLink[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const open = () => {
    setText("");
    dialog.current?.showModal();
  };
  useKeys({ "Ctrl+k": open });
  return (
    <>
      <Button title="Nodes, pages, investigations" onClick={open} className="max-md:hidden">
        Find <kbd className="text-ink-3">Ctrl K</kbd>
      </Button>
      <dialog
        ref={dialog}
        aria-label="Find"
        className="mt-[12vh] w-[34rem] max-w-[94vw] rounded-2 border border-line-3 bg-surface p-3 text-ink"
      >
        <Finder pages={pages} text={text} onText={setText} onDone={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

function Finder({
  pages,
  text,
  onText,
  onDone,
}: {
  readonly pages: readonly PageLink[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onDone: () => void;
}) {
  const router = useRouter();
  const id = useId();
  const [found, setFound] = useState<{ readonly text: string; readonly places: readonly Place[] }>();
  const [fault, setFault] = useState("");
  const [chosen, setChosen] = useState(0);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === "") return;
    const ended = new AbortController();
    const timer = setTimeout(() => {
      findPlaces(wanted, ended.signal).then(
        (places) => {
          setFound({ text: wanted, places });
          setFault("");
        },
        (error: unknown) => {
          if (ended.signal.aborted) return;
          setFault(error instanceof ApiProblem ? error.message : "The answer could not be read.");
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [wanted]);

  const inPages = pages
    .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
    .map((page): Place => ({ ...page, kind: "page" }));
  const places = [...(wanted === "" ? [] : (found?.places ?? [])), ...inPages];
  const at = Math.min(chosen, places.length - 1);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onDone();
    router.push(place.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + places.length) % Math.max(1, places.length));
    else if (event.key === "Enter") {
      // What was found for other words is not what Enter means.
      if (wanted === "" || found?.text === wanted) go(places[at]);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-label="Search nodes, pages and investigations"
        aria-expanded={places.length > 0}
        aria-controls={`${id}-places`}
        aria-activedescendant={places[at] ? `${id}-${at}` : undefined}
        autoFocus
        autoComplete="off"
        value={text}
        maxLength={200}
        placeholder="A node, a page, an investigation"
        onChange={(event) => {
          onText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className={`${FIELD_CLASS} w-full placeholder:text-ink-3`}
      />
      <ul id={`${id}-places`} role="listbox" aria-label="Found" className="mt-2 max-h-[50vh] overflow-y-auto">
        {places.map((place, index) => (
          <li
            key={`${place.kind} ${place.href}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="flex min-h-8 cursor-pointer items-center gap-3 rounded-1 px-2 text-sm hover:bg-surface-2 aria-selected:bg-surface-3"
            onClick={() => go(place)}
          >
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{isolatedText(place.label)}</span>
            <span className="text-ink-2">{place.kind}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="px-2 pt-1 text-sm text-ink-2">
        {fault !== "" ? fault : places.length === 0 && found?.text === wanted ? "Nothing is called so." : ""}
      </p>
    </>
  );
}
