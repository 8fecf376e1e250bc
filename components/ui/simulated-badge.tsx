/** Says beside a name that its numbers are made up. */
export function SimulatedBadge({ text = "simulated" }: { readonly text?: string }) {
  return (
    <span className="rounded-1 border border-line-2 px-1 text-xs leading-[18px] font-normal whitespace-nowrap text-ink-2">
      {text}
    </span>
  );
}
