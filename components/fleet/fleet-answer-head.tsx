import Link from "next/link";
import type { FleetAnswer } from "#lib/charts/fleet-model.ts";
import { Headline } from "../ui/headline.tsx";

/** The answer of the fleet as the page's head, and the nodes to drain first. */
export function FleetAnswerHead({ answer }: { readonly answer: FleetAnswer }) {
  return (
    <div className="grid gap-2 py-4">
      <div aria-live="polite">
        <Headline>{answer.sentence}</Headline>
      </div>
      {answer.below ? <p className="max-w-[165ch] text-ink-2">{answer.below}</p> : null}
      {answer.comparable ? (
        <p>
          <Link href="/cohorts" prefetch={false}>
            What leaking nodes have in common
          </Link>
        </p>
      ) : null}
      {answer.first.length > 0 ? (
        <ul aria-label="Drain in this order" className="flex flex-wrap gap-x-5 gap-y-1">
          <li className="text-ink-2">Drain or reboot first</li>
          {answer.first.map((node) => (
            <li key={node.nodeId}>
              <Link href={`/nodes/${node.nodeId}`} prefetch={false}>
                <bdi>{node.name}</bdi>
              </Link>{" "}
              <b>{node.left}</b>{" "}
              <span className="text-ink-2">
                {node.interval}, {node.what}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
