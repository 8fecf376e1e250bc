import type { AddressFault } from "#lib/charts/view-address.ts";

/** What of an address could not be read, and what is shown instead. Nothing while all of it could. */
export function WrongAddress({
  faults,
  instead,
}: {
  readonly faults: readonly AddressFault[];
  readonly instead: string;
}) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="border-l-2 border-growing bg-surface-2 px-3 py-1.5 text-sm">
      {faults.map((fault) => (
        <p key={fault.name} className="[overflow-wrap:anywhere]">
          The address cannot be shown: {fault.name}={"\u201c"}
          <bdi>{fault.given}</bdi>
          {"\u201d"}, {fault.message}.
        </p>
      ))}
      <p>Shown instead: {instead}.</p>
    </div>
  );
}
