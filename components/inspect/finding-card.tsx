import { formatShare } from "#lib/charts/format.ts";
import type { Explanation } from "#lib/domain/diagnosis/explain.ts";
import { CopiedCommand } from "../ui/copied-command.tsx";

type Finding = Explanation["findings"][number];

/** An issue as a link to it; other sources in their words. */
function Source({ source }: { readonly source: string }) {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository === undefined ? (
    <span>{source}</span>
  ) : (
    <a href={`https://github.com/${repository}/issues/${number}`} rel="noreferrer">
      {source}
    </a>
  );
}

/** A signature that fits: what speaks for and against it, what tells it apart, what to do now and for good. */
export function FindingCard({ finding }: { readonly finding: Finding }) {
  const rows = [
    ["for", finding.evidence.map(({ text }) => text)],
    ["against", finding.counterEvidence.map(({ text }) => text)],
    ["not known", finding.missing.length > 0 ? [finding.missing.slice(0, 5).join("; ")] : []],
  ] as const;
  return (
    <article className="border-b border-line py-2.5 text-sm">
      <h3 className="text-base font-semibold">
        {finding.signature === "unknown" ? "" : `${finding.signature} `}
        {finding.name}{" "}
        <span
          className={`ml-1 inline-block rounded-2 max-md:my-0.5 max-md:ml-0 max-md:block max-md:w-fit border px-1 text-xs font-normal whitespace-nowrap ${finding.certainty === "firm" ? "border-line-3" : "border-dashed border-line-3 text-ink-2"}`}
        >
          {finding.certainty}
          {finding.explainedShare === undefined ? "" : `, explains ${formatShare(finding.explainedShare, 0)}`}
        </span>
      </h3>
      <p className="max-w-[90ch]">{finding.what}</p>
      <dl className="mt-1.5 grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1">
        {rows.map(([term, lines]) => (
          <div key={term} className="contents">
            <dt className="text-ink-2">{term}</dt>
            <dd>
              {lines.length === 0 ? (
                <span className="text-ink-2">nothing in this text</span>
              ) : (
                lines.slice(0, 8).map((line) => <p key={line}>{line}</p>)
              )}
            </dd>
          </div>
        ))}
        <dt className="text-ink-2">tells it apart</dt>
        <dd className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <CopiedCommand command={finding.confirm.command} label={`check of ${finding.signature}`} />
          <p>{finding.confirm.reading}</p>
        </dd>
        <dt className="text-ink-2">now</dt>
        <dd>{finding.mitigate}</dd>
        <dt className="text-ink-2">for good</dt>
        <dd>{finding.fix}</dd>
        {finding.sources.length > 0 ? (
          <>
            <dt className="text-ink-2">sources</dt>
            <dd className="flex flex-wrap gap-x-3">
              {finding.sources.map((source) => (
                <Source key={source} source={source} />
              ))}
            </dd>
          </>
        ) : null}
      </dl>
    </article>
  );
}
