/** Bundles the collector into dist/collector.mjs: one file that needs Node.js and nothing else. */
import { chmod } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");

/** Returns the path of the bundle. `outfile`, the first argument of the command line, is for tests that want their own copy. */
export async function bundleCollector(outfile = path.join(root, "dist/collector.mjs")) {
  await build({
    absWorkingDir: root,
    entryPoints: ["collector/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    legalComments: "none",
    // A small heap: the default lets garbage grow to tens of megabytes before anything is collected.
    banner: { js: "#!/usr/bin/env -S node --max-old-space-size=64 --max-semi-space-size=1" },
    logLevel: "warning",
  });
  await chmod(outfile, 0o755);
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(path.relative(process.cwd(), await bundleCollector(process.argv[2])));
}
