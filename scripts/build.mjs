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

/** Bundled CommonJS asks for node: modules through require, which an ES module does not have. */
const requireForBundledCommonJs =
  'import { createRequire as plumblineRequire } from "node:module"; const require = plumblineRequire(import.meta.url);';

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  sourcemap: "linked",
  logLevel: "warning",
};

async function bundleProcesses() {
  await build({
    ...shared,
    entryPoints: ["up", "web", "worker", "token", "leash"].map((name) => `processes/${name}.ts`),
    packages: "external",
  });
  await build({
    ...shared,
    entryPoints: { collector: "collector/main.ts" },
    sourcemap: false,
    legalComments: "inline",
    banner: { js: `#!/usr/bin/env node\n${requireForBundledCommonJs}` },
  });
}

const hash = sourceHash(root);
mkdirSync(join(root, "dist"), { recursive: true });
rmSync(buildStampPath(root), { force: true });
try {
  await run("generating the database client", join(root, "scripts/generate.mjs"));
  await Promise.all([bundleProcesses(), run("next build", require.resolve("next/dist/bin/next"), ["build"])]);
  writeFileSync(buildStampPath(root), hash);
} catch (error) {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
}
