import type { ReactNode } from "react";

/** A state in place of content: what is missing, why, and what to do next. Keeps the place of what it stands for. */
export function StatePanel({
  title,
  tone = "plain",
  children,
  requestId,
  heading: Heading = "h2",
}: {
  readonly title: string;
  readonly tone?: "plain" | "error";
  readonly children?: ReactNode;
  readonly requestId?: string | undefined;
  readonly heading?: "h1" | "h2" | "h3" | "p";
}) {
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className="grid justify-items-start gap-1.5 border border-dashed border-line-3 p-4 text-sm text-ink-2"
    >
      <Heading className={`text-base font-semibold ${tone === "error" ? "text-leaking-ink" : "text-ink"}`}>
        {title}
      </Heading>
      {children}
      {requestId ? <p className="text-ink-3">request {requestId}</p> : null}
    </div>
  );
}

/** Commands to copy, as they are typed. */
export function Command({ children }: { readonly children: string }) {
  return (
    <pre
      tabIndex={0}
      className="max-w-full overflow-x-auto rounded-1 border border-line bg-surface-2 px-2 py-1.5 text-[11.5px] leading-[17px] whitespace-pre-wrap text-ink [overflow-wrap:anywhere]"
    >
      {children}
    </pre>
  );
}
