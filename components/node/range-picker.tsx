"use client";

import { useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { formatEditable, formatWindow, isZone, zoneName } from "#lib/charts/format-time.ts";
import { readTypedTime } from "#lib/charts/typed-time.ts";
import { QUICK_RANGES, isRelative, resolveWindow } from "#lib/charts/view-address.ts";
import type { TimeWindow, ViewAddress } from "#lib/charts/view-address.ts";
import { Button } from "../ui/button.tsx";

interface RangePickerProps {
  readonly address: ViewAddress;
  readonly window: TimeWindow;
  readonly zone: string;
  readonly nowMs: number;
  readonly onChange: (address: Partial<ViewAddress>) => void;
}

/** A bound as an address takes it: a relative form as written, anything else as the moment it was read as. */
function boundOf(text: string, zone: string): string | undefined {
  const trimmed = text.trim();
  if (isRelative(trimmed)) return trimmed;
  const read = readTypedTime(trimmed, { zone, nowMs: Date.now() });
  return read.kind === "read" ? String(read.atMs) : undefined;
}

function shown(bound: string, atMs: number, zone: string): string {
  return isRelative(bound) ? bound : formatEditable(atMs, zone);
}

/** The window of the page: ready-made ranges, both ends as written, and the zone. */
export function RangePicker({ address, window, zone, nowMs, onChange }: RangePickerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [zoneText, setZoneText] = useState("");
  const [fault, setFault] = useState("");
  const quick = QUICK_RANGES.find((each) => each.from === address.from && each.to === address.to);

  const relative = isRelative(address.from) || isRelative(address.to);

  const open = () => {
    setFrom(shown(address.from, window.fromMs, zone));
    setTo(shown(address.to, window.toMs, zone));
    setZoneText(address.timezone);
    setFault("");
    dialog.current?.showModal();
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const timezone = zoneText.trim();
    const known = timezone === "utc" || timezone === "browser" || isZone(timezone);
    if (!known) return setFault("The zone is utc, browser or a name such as Europe/Berlin.");
    const [fromBound, toBound] = [boundOf(from, zone), boundOf(to, zone)];
    if (fromBound === undefined || toBound === undefined)
      return setFault("A time is now, now-6h, now/d, 04:15, yesterday 22:10 or 2026-12-03T04:15Z.");
    const next = { from: fromBound, to: toBound, timezone };
    if (!resolveWindow(next, Date.now(), zone)) return setFault("The window ends before it begins.");
    dialog.current?.close();
    onChange(next);
  };
  const field =
    "h-8 w-full rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink aria-invalid:border-leaking md:h-7";
  return (
    <>
      <Button onClick={open} aria-haspopup="dialog">
        <span className="max-md:hidden">{formatWindow(window.fromMs, window.toMs, zone, nowMs)}</span>
        <span className={quick ? "md:hidden" : "hidden"}>{quick?.label}</span>
        <span className={quick ? "hidden" : "md:hidden"}>Range</span>
        <span className="sr-only">Choose the window</span>
      </Button>
      <Button
        onClick={() => onChange({ timezone: address.timezone === "utc" ? "browser" : "utc" })}
        title={address.timezone === "utc" ? "Show times in the browser's zone" : "Show times in UTC"}
      >
        {zoneName(window.toMs, zone)}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={`${id}-title`}
        className="w-[26rem] max-w-[92vw] rounded-2 border border-line-3 bg-surface p-5 text-ink"
      >
        <h2 id={`${id}-title`} className="mb-3 text-lg font-semibold">
          Window
        </h2>
        <label className="mb-3 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={!relative}
            onChange={(event) => {
              const { fromMs, toMs } = resolveWindow(address, nowMs, zone) ?? window;
              dialog.current?.close();
              onChange(
                event.target.checked
                  ? { from: String(fromMs), to: String(toMs) }
                  : { from: `now-${Math.ceil((toMs - fromMs) / 60_000)}m`, to: "now" },
              );
            }}
            className="size-3.5 accent-accent"
          />
          <span>
            Fixed: both ends are moments, whenever it is opened <kbd className="text-ink-3">t a</kbd>
          </span>
        </label>
        <div className="mb-4 flex flex-wrap gap-1.5">
          {QUICK_RANGES.map((each) => (
            <Button
              key={each.from}
              aria-pressed={each === quick}
              className="aria-pressed:bg-surface-3"
              onClick={() => {
                dialog.current?.close();
                onChange({ from: each.from, to: each.to });
              }}
            >
              {each.label}
            </Button>
          ))}
        </div>
        <form onSubmit={apply} className="grid grid-cols-[60px_1fr] items-center gap-x-2.5 gap-y-1.5 text-sm">
          <label htmlFor={`${id}-from`} className="text-ink-2">
            from
          </label>
          <input
            id={`${id}-from`}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            className={field}
          />
          <label htmlFor={`${id}-to`} className="text-ink-2">
            to
          </label>
          <input
            id={`${id}-to`}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            className={field}
          />
          <label htmlFor={`${id}-zone`} className="text-ink-2">
            zone
          </label>
          <input
            id={`${id}-zone`}
            value={zoneText}
            onChange={(event) => setZoneText(event.target.value)}
            className={field}
          />
          <span />
          <p role="alert" className="min-h-[18px] text-leaking-ink">
            {fault}
          </p>
          <span />
          <span className="flex gap-2">
            <Button type="submit" tone="primary">
              Show
            </Button>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          </span>
        </form>
      </dialog>
    </>
  );
}
