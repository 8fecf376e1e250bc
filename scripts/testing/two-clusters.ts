import { issuedToken } from "#lib/contracts/token.ts";
import { issueTokenRoute } from "#lib/server/http/routes/tokens.ts";
import { answerOf, callRoute } from "./route-client.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** A database with nodes of two clusters. */
export interface TwoClusters {
  readonly database: TestDatabase;
  /** Ids of east/a, east/b"[]🦆 and west/a; the first has the label zone=a, and had zone=old before. */
  readonly nodes: readonly number[];
}

/** Makes the database; undo with `database.drop()`. */
export async function createTwoClusters(): Promise<TwoClusters> {
  const database = await createTestDatabase();
  const { rows } = await database.db.pool.query<{ id: number }>(
    `with c as (insert into "Cluster" (name, "createdAt") values ('east', now()), ('west', now()) returning id, name)
     insert into "Node" ("clusterId", name, "firstSeenAt")
     select c.id, n.name, now() from c cross join (values ('a'), ('b"[]🦆')) n(name)
     where not (c.name = 'west' and n.name <> 'a') order by c.name, n.name returning id`,
  );
  const nodes = rows.map(({ id }) => id);
  await database.db.pool.query(
    `insert into "NodeRevision" ("nodeId", since, "kernelRelease", cpus, versions, labels)
     values ($1, now() - interval '1 day', '4.18.0', 8, '{}', '{"zone": "old"}'),
            ($1, now(), '4.18.0', 8, '{}', '{"zone": "a"}')`,
    [nodes[0]],
  );
  return { database, nodes };
}

/** A token of cluster east for reading and for marks, from routes that have their database. */
export async function issueEastToken(): Promise<string> {
  const token = await callRoute(issueTokenRoute, {
    as: { local: true },
    json: { name: "ci of east", cluster: "east", scopes: ["read", "annotations:write"] },
  });
  return (await answerOf(token, issuedToken)).secret;
}
