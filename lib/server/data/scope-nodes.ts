import type { Database } from "./client.ts";

/** A node as a scope names it; labels are its newest. */
export interface ScopeNode {
  nodeId: number;
  cluster: string;
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** Nodes of one cluster, or of all, by id. A row a node: the one list that grows with the fleet and nothing else. */
export async function listScopeNodes(
  db: Pick<Database, "pool">,
  clusterId: number | undefined,
): Promise<ScopeNode[]> {
  const { rows } = await db.pool.query<ScopeNode>({
    name: "scope-nodes",
    text: `select n.id as "nodeId", c.name as cluster, n.name, coalesce(r.labels, '{}') as labels
      from "Node" n
      join "Cluster" c on c.id = n."clusterId"
      left join (
        select distinct on ("nodeId") "nodeId", labels from "NodeRevision" order by "nodeId", since desc
      ) r on r."nodeId" = n.id
      where $1::int is null or n."clusterId" = $1::int
      order by n.id`,
    values: [clusterId ?? null],
  });
  return rows;
}
