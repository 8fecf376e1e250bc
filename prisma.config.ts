import { defineConfig } from "prisma/config";

/** For the Prisma CLI (`generate`, `format`, `validate`). Migrations are applied by prisma/migrate.ts, never by it. */
export default defineConfig({
  schema: "prisma/models",
  migrations: { path: "prisma/migrations" },
});
