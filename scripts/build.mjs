/**
 * `npm run build`: the database client, the pages (Next.js), and one file for each process under dist/. The collector's
 * file needs nothing but Node.js; the others use node_modules. Needs no network.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleCollector } from "./bundle-collector.mjs";
import { buildStampPath, sourceHash } from "./source-hash.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

function run(name, file, args = []) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    });
    child.once("error", fail);
    child.once("close", (code) => (code === 0 ? done() : fail(new Error(`${name} failed (${code})`))));
  });
}

/** The server's processes, one file each; what they use of node_modules stays there. */
async function bundleProcesses() {
  await build({
    absWorkingDir: root,
    entryPoints: ["up", "web", "worker", "token", "migrate", "invite", "import-prometheus", "leash"].map(
      (name) => `processes/${name}.ts`,
    ),
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    logLevel: "warning",
  });
}

const hash = sourceHash(root);
mkdirSync(join(root, "dist"), { recursive: true });
rmSync(buildStampPath(root), { force: true });
try {
  await run("generating the database client", join(root, "scripts/generate.mjs"));
  await Promise.all([
    bundleProcesses(),
    bundleCollector(),
    run("next build", require.resolve("next/dist/bin/next"), ["build"]),
  ]);
  writeFileSync(buildStampPath(root), hash);
} catch (error) {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
}
