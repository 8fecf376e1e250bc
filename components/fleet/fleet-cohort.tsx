import Link from "next/link";
import { StatePanel } from "../ui/state-panel.tsx";

/** Says that the list is of one cohort only, and how to see all nodes; in place of the list where there is none. */
export function FleetCohort({
  text,
  wrong,
  nodes,
}: {
  readonly text: string;
  readonly wrong: string | undefined;
  readonly nodes: number;
}) {
  const links = (
    <>
      <Link href="/" prefetch={false} className="underline">
        All nodes
      </Link>
      <Link href="/cohorts" prefetch={false} className="underline">
        Cohorts
      </Link>
    </>
  );
  if (wrong === undefined && nodes > 0) {
    return (
      <p className="flex flex-wrap gap-x-3 border-b border-line-2 py-2">
        <span>
          Only nodes with <b>{text}</b>
        </span>
        {links}
      </p>
    );
  }
  return (
    <div className="py-4">
      <StatePanel title={wrong ?? `No node has ${text}`} heading={nodes > 0 ? "h2" : "h1"}>
        <p>
          {wrong === undefined
            ? "It may be gone from the fleet: a rollout that is complete leaves no node behind."
            : "All nodes are listed."}
        </p>
        <p className="flex gap-3">{links}</p>
      </StatePanel>
    </div>
  );
}
