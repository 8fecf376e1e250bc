import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Database } from "#lib/server/data/client.ts";
import { setRuntime } from "#lib/server/http/runtime.ts";
import { useRuntime } from "./route-client.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { issueEastToken } from "./tokens.ts";

/** Nodes of two clusters. */
export interface TwoClusters {
  readonly db: Database;
  /** Ids of east/a, east/b"[]🦆 and west/a; the first has the label zone=a, and had zone=old before. */
  readonly nodes: readonly number[];
  /** As `issueEastToken` makes it. */
  readonly eastToken: string;
}

/** Gives the routes a database with two clusters for all tests of a file, and a clock before each. What it returns is there in tests. */
export function serveTwoClusters(now: () => number): TwoClusters {
  let made: Awaited<ReturnType<typeof createTwoClusters>> | undefined;
  let eastToken = "";
  const there = () => {
    if (made === undefined) throw new Error("the two clusters are only there in tests");
    return made;
  };
  beforeAll(async () => {
    made = await createTwoClusters();
    useRuntime(made.database.db, now);
    eastToken = await issueEastToken();
  });
  beforeEach(() => {
    useRuntime(there().database.db, now);
  });
  afterAll(async () => {
    setRuntime(undefined);
    await made?.database.drop();
  });
  return {
    get db() {
      return there().database.db;
    },
    get nodes() {
      return there().nodes;
    },
    get eastToken() {
      return eastToken;
    },
  };
}

async function createTwoClusters(): Promise<{ database: TestDatabase; nodes: readonly number[] }> {
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
