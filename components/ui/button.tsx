import type { ButtonHTMLAttributes, ReactNode } from "react";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: "plain" | "primary" | "danger";
  readonly children: ReactNode;
}

const TONES = {
  plain: "border-line-2 bg-surface text-ink hover:bg-surface-2",
  primary: "border-accent bg-accent text-on-accent hover:border-accent-ink hover:bg-accent-ink",
  danger: "border-line-3 bg-surface text-leaking-ink hover:bg-surface-2",
} as const;

/** Look of a link that stands among buttons. */
export const LINK_BUTTON =
  "inline-flex h-8 items-center rounded-2 border border-line-2 px-2.5 text-sm text-ink hover:bg-surface-2 hover:no-underline md:h-7";

/** A button of the height of everything in its row. */
export function Button({ tone = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex h-8 items-center gap-1.5 rounded-2 border px-2.5 text-sm whitespace-nowrap disabled:cursor-default disabled:text-ink-3 md:h-7 ${TONES[tone]} ${className}`}
      {...rest}
    />
  );
}

/** A choice of one among few, side by side. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <span
      role="group"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-2 border border-line-2"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
          className="h-[30px] border-r border-line-2 px-2.5 text-sm whitespace-nowrap text-ink-2 first:rounded-l-[3px] last:rounded-r-[3px] last:border-r-0 hover:bg-surface-2 aria-pressed:bg-surface-3 aria-pressed:font-semibold aria-pressed:text-ink md:h-[26px]"
        >
          {option.label}
        </button>
      ))}
    </span>
  );
}
