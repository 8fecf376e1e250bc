import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Everything that a build is made from. */
const parts = [
  "app",
  "collector",
  "components",
  "lib",
  "prisma",
  "processes",
  "public",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "prisma.config.ts",
  "scripts/build.mjs",
  "scripts/bundle-collector.mjs",
  "scripts/generate.mjs",
  "tsconfig.build.json",
  "tsconfig.json",
];

const isNoSource = (path) => /\.test\.tsx?$/.test(path) || path === "lib/server/data/generated";

function* filesUnder(root, path) {
  if (isNoSource(path) || !existsSync(join(root, path))) return;
  if (!statSync(join(root, path)).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) yield* filesUnder(root, `${path}/${name}`);
}

/** SHA-256 over names and contents of all sources, and the version of Node.js: a build of another state is another. */
export function sourceHash(root) {
  const hash = createHash("sha256").update(process.version);
  for (const part of parts) {
    for (const path of filesUnder(root, part)) {
      const content = readFileSync(join(root, path));
      hash.update(`\n${path} ${content.length}\n`).update(content);
    }
  }
  return hash.digest("hex");
}

/** Written last by a build that succeeded. */
export const buildStampPath = (root) => join(root, "dist", "build-stamp");

/** Whether dist/ and .next/ are a whole build of these sources. */
export function isBuilt(root) {
  const stamp = buildStampPath(root);
  return (
    existsSync(stamp) &&
    existsSync(join(root, ".next", "BUILD_ID")) &&
    readFileSync(stamp, "utf8") === sourceHash(root)
  );
}
