/**
 * Writes what is generated and not committed: the Prisma client. Works without a network: the Prisma CLI wants a
 * schema-engine executable and would download one, but `generate` never runs it, so any existing executable will do.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const packageFile = require.resolve("prisma/package.json");
const cli = join(dirname(packageFile), require(packageFile).bin.prisma);

const { status, error } = spawnSync(process.execPath, [cli, "generate", "--no-hints"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  },
});
if (error) throw error;
process.exit(status ?? 1);
