import Link from "next/link";
import type { NodeSummary } from "#lib/contracts/node.ts";
import { findingVerdict } from "#lib/charts/finding-model.ts";
import { Verdict } from "../ui/verdict.tsx";

const SHOWN = 2;

/** What was found on a node in one line, with the way to its evidence; nothing where nothing was. */
export function FoundStrip({ node: { nodeId, findings } }: { readonly node: NodeSummary }) {
  if (findings.length === 0) return null;
  const rest = findings.length - SHOWN;
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
      {findings.slice(0, SHOWN).map((finding) => (
        <span key={finding.signature} className="inline-flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <Verdict verdict={findingVerdict({ severity: "warning", ...finding })} />
          <Link href={`/nodes/${nodeId}/findings`} prefetch={false}>
            {finding.name}
          </Link>
        </span>
      ))}
      {rest > 0 ? (
        <Link href={`/nodes/${nodeId}/findings`} prefetch={false}>
          {rest} more
        </Link>
      ) : null}
    </p>
  );
}
