import type { TypedTime } from "#lib/charts/typed-time.ts";

/** How a typed time was read, or why not, below its field. */
export function TimeReading({
  id,
  read,
  className = "",
}: {
  readonly id: string;
  readonly read: TypedTime;
  readonly className?: string;
}) {
  return (
    <div id={id} aria-live="polite" className={`grid text-ink-2 ${className}`}>
      {read.kind === "unreadable" ? (
        <span className="text-leaking-ink">{read.message}</span>
      ) : (
        <>
          <span>{read.reading}</span>
          {read.notes.map((note) => (
            <span key={note} className="text-growing-ink">
              {note}
            </span>
          ))}
        </>
      )}
    </div>
  );
}
