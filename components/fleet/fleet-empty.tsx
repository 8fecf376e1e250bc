import Link from "next/link";
import { ForRole } from "../account/access.tsx";
import { Command, StatePanel } from "../ui/state-panel.tsx";

/** The first start: what is missing and how a node begins to report. */
export function FleetEmpty({ server }: { readonly server: string }) {
  return (
    <div className="grid gap-3 py-4">
      <h1 className="text-xl font-semibold">No node has reported yet</h1>
      <StatePanel title="Start a collector" heading="h2">
        <p>
          A collector sends its first snapshot within 30 s of its start.{" "}
          <ForRole least="administrator">
            <Link href="/add-nodes">Add nodes</Link> makes a token and has the commands.
          </ForRole>{" "}
          By hand, make a token on the server:
        </p>
        <Command>npm run token -- create --name my-nodes --scope snapshots:write</Command>
        <p>
          Carry the token and <code>dist/collector.mjs</code> to the node and run, as root to see every
          source:
        </p>
        <Command>{`node collector.mjs run --server ${server} --token-file ./token`}</Command>
        <p>This page reads itself anew; nothing needs to be pressed.</p>
      </StatePanel>
    </div>
  );
}
