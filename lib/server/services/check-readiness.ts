import type { Readiness } from "#lib/contracts/health.ts";
import { readMigrationLevel, type MigrationLevel } from "#lib/server/data/migration-level.ts";
import { logger } from "#lib/server/log.ts";
import type { Context } from "./context.ts";

type Check = NonNullable<Readiness["checks"]>[number];

/** Asks the database whether it is there and has the schema of this program. Never throws. */
export async function checkReadiness({ ctx }: { ctx: Context }): Promise<Required<Readiness>> {
  const checks = await readMigrationLevel(ctx.db).then(judge, (error: unknown): Check[] => {
    logger("readiness").warn({ err: error }, "the database cannot be asked");
    return [
      { name: "database", ok: false, detail: "cannot be asked" },
      { name: "migrations", ok: false, detail: "not known" },
    ];
  });
  return { status: checks.every(({ ok }) => ok) ? "ready" : "unready", checks };
}

function judge({ expected, applied }: MigrationLevel): Check[] {
  const missing = expected.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !expected.includes(name));
  return [
    { name: "database", ok: true, detail: "answers" },
    {
      name: "migrations",
      ok: missing.length === 0 && unknown.length === 0,
      detail:
        missing.length > 0
          ? `missing: ${missing.join(", ")}`
          : unknown.length > 0
            ? `newer than this program: ${unknown.join(", ")}`
            : `at ${applied.at(-1) ?? "none"}`,
    },
  ];
}
