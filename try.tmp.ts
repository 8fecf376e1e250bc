import { startTestServer } from "./scripts/testing/postgres-server.ts";
import { diffModels } from "./prisma/schema-engine.ts";
import { writeFileSync } from "node:fs";
const t=Date.now();
const s = await startTestServer();
console.error("up", Date.now()-t);
writeFileSync("/tmp/st/full.sql", await diffModels(s.url, "empty"));
await s.stop();
