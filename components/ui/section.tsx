import type { ReactNode } from "react";

/** A part of a page: a hairline, its head, a note in the second ink and its tools at the right. */
export function Section({
  id,
  title,
  note,
  tools,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="min-w-0 border-t border-line-2 pt-2">
      <header className="mb-1 flex min-h-6 flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {note ? <span className="text-sm text-ink-2">{note}</span> : null}
        {tools ? (
          <span className="ml-auto flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">{tools}</span>
        ) : null}
      </header>
      {children}
    </section>
  );
}
