import { sourceAddress } from "#lib/charts/finding-model.ts";
import type { FindingDetail } from "#lib/contracts/finding.ts";
import { formatCount } from "#lib/domain/memory/quantity.ts";
import { CopiedCommand } from "../ui/copied-command.tsx";

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 md:grid-cols-[128px_minmax(0,1fr)]">
      <h4 className="text-sm text-ink-2">{title}</h4>
      <div className="min-w-0 max-w-[110ch] text-pretty [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

/** What speaks for and against: sentences with their numbers. */
export function EvidenceParts({
  detail,
}: {
  readonly detail: Pick<FindingDetail, "evidence" | "counterEvidence" | "missing">;
}) {
  const list = (items: FindingDetail["evidence"]) => (
    <ul className="grid list-disc gap-0.5 pl-4 marker:text-ink-3">
      {items.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
  return (
    <>
      <Part title="Speaks for it">{list(detail.evidence)}</Part>
      {detail.counterEvidence.length > 0 ? (
        <Part title="Speaks against it">{list(detail.counterEvidence)}</Part>
      ) : null}
      {detail.missing.length > 0 ? (
        <Part title="Not known">
          <details>
            <summary className="cursor-pointer text-accent-ink">
              {formatCount(detail.missing.length, "thing")} that would make it surer
            </summary>
            <p className="text-sm text-ink-2">{detail.missing.join(" · ")}</p>
          </details>
        </Part>
      ) : null}
    </>
  );
}

/** The check that tells a signature from its rivals, what to do now and for good, and where that is known from. */
export function RemedyParts({
  signature,
  detail: { confirm, mitigate, fix, affectedVersions, sources },
}: {
  readonly signature: string;
  readonly detail: Pick<FindingDetail, "confirm" | "mitigate" | "fix" | "affectedVersions" | "sources">;
}) {
  return (
    <>
      <Part title="How to be sure">
        <CopiedCommand command={confirm.command} label={`the check of ${signature}`} />
        <p className="pt-1">{confirm.reading}</p>
      </Part>
      <Part title="Now">{mitigate}</Part>
      <Part title="For good">{fix}</Part>
      <Part title="Affected">{affectedVersions}</Part>
      {sources.length > 0 ? (
        <Part title="Sources">
          {sources.map((source, index) => {
            const address = sourceAddress(source);
            return (
              <span key={source}>
                {index > 0 ? ", " : ""}
                {address === undefined ? (
                  source
                ) : (
                  <a href={address} rel="noreferrer">
                    {source}
                  </a>
                )}
              </span>
            );
          })}
        </Part>
      ) : null}
    </>
  );
}
