import type { TestProject } from "vitest/node";
import { migrate } from "../../prisma/migrate.ts";
import { startTestServer } from "./postgres-server.ts";
import { createEmptyDatabase, TEMPLATE } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser's address of the run's PostgreSQL. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for the whole run, with a migrated template that each suite copies (scripts/testing/test-database.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  try {
    const template = await createEmptyDatabase(server.url, TEMPLATE);
    await migrate({ url: template });
    project.provide("postgresUrl", server.url);
    return server.stop;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
