/** Says of a new text that it comes from before: it was not sent. */
export function DraftNote({ restored }: { readonly restored: boolean }) {
  return (
    <span role="status" className="text-sm text-ink-2">
      {restored ? "taken up again from this browser, not sent yet" : ""}
    </span>
  );
}
