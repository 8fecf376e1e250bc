import { useId } from "react";
import type { InputHTMLAttributes } from "react";

/** Look of a field of one line, as high as everything in its row. */
export const FIELD_CLASS = "h-8 rounded-2 border border-line-3 bg-surface px-2 text-sm text-ink md:h-7";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly label: string;
  /** What is expected, below the field. */
  readonly hint?: string | undefined;
  /** Why what stands in it was refused. */
  readonly fault?: string | undefined;
  /** Its width. */
  readonly className?: string;
  readonly onText: (text: string) => void;
}

/** One line to fill in, with its label, what is expected, and what was wrong. */
export function Field({ label, hint, fault, className = "w-80", onText, ...rest }: FieldProps) {
  const id = useId();
  return (
    <span className="grid gap-0.5 text-sm">
      <label htmlFor={id} className="text-ink-2">
        {label}
      </label>
      <input
        id={id}
        required
        onChange={(event) => onText(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={hint === undefined && fault === undefined ? undefined : `${id}-about`}
        className={`${FIELD_CLASS} max-w-full ${className}`}
        {...rest}
      />
      {hint === undefined && fault === undefined ? null : (
        <span id={`${id}-about`} className={`max-w-[60ch] ${fault ? "text-leaking-ink" : "text-ink-2"}`}>
          {fault ?? hint}
        </span>
      )}
    </span>
  );
}

/** Why an attempt failed, said to screen readers too. */
export function Fault({ text }: { readonly text: string }) {
  return (
    <p role="alert" className="max-w-[80ch] text-sm text-leaking-ink empty:hidden">
      {text}
    </p>
  );
}
