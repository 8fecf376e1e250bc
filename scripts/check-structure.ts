/**
 * `npm run check:structure`: the tree has a closed list of folders, and each folder a closed form of file name, so
 * that a file's place says what it may do. Prints every violation with where the file belongs; exits 1 on any.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

interface Rule {
  /** Folder, matched as a prefix; the longest match decides. */
  folder: string;
  /** What a path below the folder must look like. */
  files: RegExp;
  /** What belongs here instead. */
  hint: string;
}

const KEBAB = "[a-z0-9]+(?:-[a-z0-9]+)*";
const MODULE = new RegExp(`^${KEBAB}(?:\\.(?:test|calibration\\.test))?\\.ts$`);
const NESTED_MODULE = new RegExp(`^(?:${KEBAB}/)*${KEBAB}(?:\\.(?:test|calibration\\.test))?\\.ts$`);

const RULES: Rule[] = [
  { folder: "", files: /^[^/]+$/, hint: "top-level folders are a closed list: see docs/architecture.md" },
  { folder: ".ci/", files: /^run$/, hint: "only the entry of continuous integration" },
  {
    folder: "app/",
    files:
      /^(?:(?:\([a-z-]+\)|\[[a-zA-Z]+\]|[a-z0-9-]+(?:\.json)?)\/)*(?:page|layout|error|loading|not-found|global-error)\.tsx$|^(?:[^/]+\/)*(?:route|route\.test|opengraph-image)\.tsx?$|^globals\.css$|^icon\.svg$|^actions\/[a-z-]+\.ts$/,
    hint: "app/ holds addresses only; pieces of a page live in components/",
  },
  {
    folder: "components/",
    files: new RegExp(
      `^(?:account|ui|charts|cohorts|compare|experiments|findings|fleet|node|inspect|marks|shell|stories|investigation|share)/${KEBAB}(?:\\.test)?\\.tsx?$`,
    ),
    hint: "components/<noun>/<kebab-name>.tsx",
  },
  { folder: "lib/", files: /^errors\.ts$/, hint: "lib/ holds domain, charts, contracts and server" },
  { folder: "lib/contracts/", files: MODULE, hint: "one noun a file" },
  {
    folder: "lib/charts/",
    files: new RegExp(`^(?:${KEBAB}(?:\\.test)?\\.ts|ARCHITECTURE\\.md)$`),
    hint: "one model a file",
  },
  { folder: "lib/exports/", files: MODULE, hint: "one part of a written report a file" },
  {
    folder: "lib/domain/",
    files: new RegExp(
      `^(?:procfs|kernel-log|dumps|snapshot|memory|statistics|signatures|diagnosis|analysis|investigation|prometheus|redaction|scenarios)/${KEBAB}(?:\\.(?:test|calibration\\.test))?\\.ts$`,
    ),
    hint: "lib/domain/<subject>/<kebab-name>.ts",
  },
  {
    folder: "lib/server/",
    files: /^(?:config|log|database-away)(?:\.test)?\.ts$/,
    hint: "data, services, loaders or http",
  },
  { folder: "lib/server/data/", files: MODULE, hint: "one table or subject a file" },
  { folder: "lib/server/services/", files: MODULE, hint: "one verb a file" },
  {
    folder: "lib/server/documents/",
    files: MODULE,
    hint: "one thing that is read and prepared as a whole a file",
  },
  { folder: "lib/server/loaders/", files: MODULE, hint: "one page read a file" },
  { folder: "lib/server/http/", files: NESTED_MODULE, hint: "one concern of HTTP a file" },
  {
    folder: "collector/",
    files: new RegExp(`^(?:${KEBAB}(?:\\.test)?\\.ts|README\\.md|plumbline-collector\\.sh)$`),
    hint: "collector/<kebab-name>.ts; the one script is for hosts without Node.js",
  },
  { folder: "processes/", files: MODULE, hint: "one process a file" },
  {
    folder: "prisma/",
    files: new RegExp(
      `^(?:models/${KEBAB}\\.prisma|migrations/\\d{4}_[a-z0-9_]+/migration\\.sql|${KEBAB}(?:\\.test)?\\.ts)$`,
    ),
    hint: "models, migrations, runner",
  },
  {
    folder: "scripts/",
    files: new RegExp(`^(?:testing/)?${KEBAB}(?:\\.test)?\\.(?:ts|mjs|sh)$`),
    hint: "scripts/<kebab-name>",
  },
  {
    folder: "leaklab/",
    files: new RegExp(`${NESTED_MODULE.source}|^README\\.md$`),
    hint: "one leak a file under leaks/",
  },
  { folder: "bench/", files: NESTED_MODULE, hint: "one figure a file" },
  {
    folder: "faults/",
    files: new RegExp(`^(?:stories/)?${KEBAB}\\.ts$`),
    hint: "one story a file under stories/",
  },
  {
    folder: "e2e/",
    files: new RegExp(`^(?:(?:stories|pages)/)?${KEBAB}(?:\\.spec)?\\.ts$`),
    hint: "stories/*.spec.ts, pages/*.ts",
  },
  {
    folder: "fixtures/",
    files:
      /^(?:SOURCES\.md|(?:trees|sequences|malformed|golden|prometheus)\/.+|cases\/\d{3}-[a-z0-9-]+\/(?:input\.txt|case\.json))$/,
    hint: "trees, sequences, malformed, golden, prometheus, cases",
  },
  {
    folder: "docs/",
    files: new RegExp(
      `^(?:${KEBAB}\\.md|decisions/(?:\\d{4}-${KEBAB}|libraries)\\.md|images/${KEBAB}\\.(?:png|webp))$`,
    ),
    hint: "docs/<topic>.md, docs/decisions/NNNN-title.md",
  },
  {
    folder: "deploy/",
    files: new RegExp(`^(?:${KEBAB}/)*[A-Za-z0-9.-]+$`),
    hint: "container image, compose, kustomize, systemd",
  },
  { folder: "public/", files: /^[a-z0-9-]+\.(?:svg|png|ico|txt)$/, hint: "static files" },
];

const DRAWERS = /(?:^|\/)(?:utils?|helpers?|misc|common-utils|constants|types|index)\.tsx?$/;
const CLIENT_PLACES = /^(?:components\/|app\/(?:.+\/)?(?:error|global-error)\.tsx$)/;

const SOURCE_SUFFIX = /\.tsx?$/;

let tested: Set<string> | undefined;

/** Names of the estimators that some test in their folder imports. */
function testedEstimators(): Set<string> {
  if (tested) return tested;
  const folder = "lib/domain/statistics";
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  const imports = tests.flatMap((name) => [
    ...readFileSync(`${folder}/${name}`, "utf8").matchAll(/from "\.\/([a-z0-9-]+)\.ts"/g),
  ]);
  tested = new Set(imports.map(([, name = ""]) => name));
  return tested;
}

function ruleFor(path: string): Rule | undefined {
  const inFolder = path.includes("/");
  return RULES.filter((rule) => (rule.folder === "" ? !inFolder : path.startsWith(rule.folder))).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];
}

function violationsOf(path: string): string[] {
  const rule = ruleFor(path);
  if (!rule)
    return [`${path}: not in a known folder; top-level folders are a closed list (docs/architecture.md)`];
  const found: string[] = [];
  if (!rule.files.test(path.slice(rule.folder.length)))
    found.push(`${path}: does not fit here; ${rule.hint}`);
  if (!SOURCE_SUFFIX.test(path)) return found;
  if (DRAWERS.test(path)) found.push(`${path}: a drawer, not a noun; name the file after what it holds`);
  const text = readFileSync(path, "utf8");
  if (/^["']use client["']/m.test(text) && !CLIENT_PLACES.test(path)) {
    found.push(`${path}: "use client" belongs under components/ (and error pages)`);
  }
  const estimator = /^lib\/domain\/statistics\/([a-z0-9-]+)\.ts$/.exec(path)?.[1];
  if (estimator !== undefined && !testedEstimators().has(estimator)) {
    found.push(`${path}: an estimator needs a test in its folder that imports it`);
  }
  return found;
}

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && existsSync(path));
const numbers = listed.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []);
const twice = new Set(numbers.filter((number, index) => numbers.indexOf(number) !== index));
const violations = [
  ...listed.flatMap(violationsOf),
  ...[...twice].map(
    (number) => `docs/decisions/${number}-*: two records have this number; take the next free one`,
  ),
];
for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
else console.log(`structure: ${listed.length} files, no violations`);
