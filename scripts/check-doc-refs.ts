/**
 * `npm run check:docs`: every path and npm script that a document cites exists, every picture and relative link
 * resolves, and the tables of settings name all variables that programs read, and no others. Exits 1 and names file, line
 * and reference otherwise.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

interface Package {
  scripts: Record<string, string>;
}

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as Package;
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
}).split("\n");
const folders = new Set(
  tracked.filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/"))),
);
const documents = tracked.filter((path) => path.endsWith(".md") && existsSync(path));

/** Placeholders such as `NNNN-title.md`, `<name>` or globs name a form, not a file. */
const isForm = (reference: string) => /[<>*{}[\]…]|NNNN|\bX\b/.test(reference);
/** Made by the build or at run time; not in the tree. */
const isMade = (reference: string) =>
  /^(?:dist|node_modules|\.next|lib\/server\/data\/generated)(?:\/|$)/.test(reference);

function faultsIn(document: string): string[] {
  const faults: string[] = [];
  readFileSync(document, "utf8")
    .split("\n")
    .forEach((line, index) => {
      const at = `${document}:${index + 1}`;
      for (const [, code = ""] of line.matchAll(/`([^`]+)`/g)) {
        const reference = code.replace(/[.,;:]$/, "");
        const first = reference.split("/")[0] ?? "";
        const looksLikePath = /^[\w.@()[\]-]+(?:\/[\w.@()[\]-]+)+\/?$/.test(reference) && folders.has(first);
        if (looksLikePath && !isForm(reference) && !isMade(reference) && !existsSync(reference)) {
          faults.push(`${at}: cites ${reference}, which does not exist`);
        }
      }
      for (const [, script = ""] of line.matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)/g)) {
        if (!(script in scripts)) faults.push(`${at}: cites npm run ${script}, which does not exist`);
      }
      for (const [, target = ""] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target) || target.startsWith("#")) continue;
        const path = normalize(join(dirname(document), target.split("#")[0] ?? ""));
        if (!existsSync(path)) faults.push(`${at}: links to ${target}, which does not exist`);
      }
    });
  return faults;
}

const SETTINGS = "docs/operations.md";
const VARIABLE = /\b(?:PLUMBLINE_[A-Z0-9_]*[A-Z0-9]|DATABASE_URL)\b/g;
/** Where programs read their environment; stories and benchmarks hand variables of their own to themselves. */
const READS_SETTINGS = /^(?:lib|processes|collector|scripts|prisma)\/.*(?<!\.test)\.(?:ts|mjs|sh)$/;

/** Variables that a table of settings does not name, or names for nothing. */
function settingFaults(): string[] {
  const read = new Map<string, string>();
  for (const path of tracked.filter((each) => READS_SETTINGS.test(each) && existsSync(each))) {
    for (const [name] of readFileSync(path, "utf8").matchAll(VARIABLE)) {
      if (!read.has(name)) read.set(name, path);
    }
  }
  const tabled = new Set(
    readFileSync(SETTINGS, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => (line.split("|")[1] ?? "").match(VARIABLE) ?? []),
  );
  return [
    ...[...read].flatMap(([name, path]) =>
      tabled.has(name) ? [] : [`${path}: reads ${name}, which stands in no table of ${SETTINGS}`],
    ),
    ...[...tabled].flatMap((name) =>
      read.has(name) ? [] : [`${SETTINGS}: has ${name} in a table, which no program reads`],
    ),
  ];
}

const faults = [...documents.flatMap(faultsIn), ...settingFaults()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`documents: ${documents.length} read, all references resolve`);
