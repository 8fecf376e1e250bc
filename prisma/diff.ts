import { diffModels } from "./schema-engine.ts";
import { requireDatabaseUrl } from "#lib/server/config.ts";

/**
 * `npm run prisma:diff [-- --from-empty]`: prints the SQL between the database of DATABASE_URL and prisma/models, as
 * the draft of a new migration. Partitioned tables and their keys are written by hand (docs/decisions).
 */
const sql = await diffModels(
  requireDatabaseUrl(),
  process.argv.includes("--from-empty") ? "empty" : "database",
);
console.log(sql === "" ? "-- The database is what the models say." : sql);
