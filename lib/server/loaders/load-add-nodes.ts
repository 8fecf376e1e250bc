import "server-only";
import { headers } from "next/headers";
import type { Token } from "#lib/contracts/token.ts";
import { listNodesNewest } from "#lib/server/data/nodes.ts";
import { collectorFiles } from "#lib/server/http/collector-files.ts";
import { serverAddress } from "#lib/server/http/peer.ts";
import { listTokens } from "#lib/server/services/list-tokens.ts";
import { pageContext } from "./page-context.ts";

/** What the page that adds nodes begins with. */
export interface AddNodesPage {
  /** This server as the reader reached it. */
  readonly server: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  readonly tokens: readonly Token[];
  readonly clusters: readonly string[];
  /** Nodes that are there already: the next one is news. */
  readonly knownNodeIds: readonly number[];
}

/** Reads what the page needs: tokens, and which nodes there are. */
export async function loadAddNodes(): Promise<AddNodesPage> {
  const { ctx } = await pageContext("administrator");
  const [{ tokens }, nodes, sent] = await Promise.all([
    listTokens({ ctx }),
    listNodesNewest(ctx.db),
    headers(),
  ]);
  return {
    server: serverAddress(sent),
    files: collectorFiles().map(({ path, sha256, body }) => ({ path, sha256, bytes: body.length })),
    tokens,
    clusters: [...new Set(nodes.map(({ cluster }) => cluster))].sort(),
    knownNodeIds: nodes.map(({ nodeId }) => nodeId),
  };
}
