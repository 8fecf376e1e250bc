import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { config, requireDatabaseUrl } from "#lib/server/config.ts";
import { migrate } from "#prisma/migrate.ts";

/** Beside both dist/ and processes/. */
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "prisma/migrations");

/** `npm run migrate [-- --check]`: exit 1 when something is pending or failed. */
async function main(): Promise<number> {
  const check = process.argv.includes("--check");
  const { pending } = await migrate({
    url: requireDatabaseUrl(),
    folder,
    citusShards: config().citusShards,
    ...(check ? { check } : { partitionsFromMs: Date.now() }),
  });
  const list = pending.map((name) => `  ${name}`).join("\n");
  if (pending.length === 0) console.log("The schema is current.");
  else console.log(`${check ? "Pending" : "Applied"}:\n${list}`);
  return check && pending.length > 0 ? 1 : 0;
}

process.exitCode = await main();
