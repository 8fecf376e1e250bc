/**
 * `npm run verify`: every check of the repository, in one command. Goes on after a failure, so that one run shows all
 * of them, and closes with a line that adds up all runners: each static check counts as one, each test as one.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ensureInstall, requireNode } from "./ensure-install.mjs";
import { findBrowser } from "./find-browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const reports = join(root, "dist", "reports");
const started = Date.now();
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** Failed tests with the beginning of why, told once more at the end: a long log is often kept without its middle. */
const failedTests = [];

const seconds = (sinceMs) => `${((Date.now() - sinceMs) / 1000).toFixed(0)} s`;

function runNpm(script, args = [], env = {}) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", script, "--", ...args], {
      cwd: root,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}

function note(name, ok, since, detail = "") {
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${seconds(since)})${detail ? ` ${detail}` : ""}`);
}

async function check(name, script) {
  const since = Date.now();
  const { ok, output } = await runNpm(script);
  note(name, ok, since);
  totals[ok ? "passed" : "failed"] += 1;
  if (!ok) {
    failures.push(name);
    console.log(output.trimEnd());
  }
  return ok;
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function firstLines(message) {
  return stripVTControlCharacters(message ?? "no reason was given")
    .trim()
    .split("\n")
    .slice(0, 6)
    .join("\n    ");
}

function nameFailedVitest(report) {
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    const failed = assertionResults.filter((each) => each.status === "failed");
    for (const { fullName, failureMessages } of failed) {
      failedTests.push(`${relative(root, name)}: ${fullName}\n    ${firstLines(failureMessages[0])}`);
    }
    if (failed.length === 0 && message)
      failedTests.push(`${relative(root, name)}\n    ${firstLines(message)}`);
  }
}

function nameFailedStories(suites) {
  for (const { specs = [], suites: inner = [] } of suites ?? []) {
    for (const { file, title, tests } of specs) {
      const failed = tests.filter((each) => each.status === "unexpected" || each.status === "flaky");
      for (const { results } of failed) {
        failedTests.push(`${file}: ${title}\n    ${firstLines(results[0]?.error?.message)}`);
      }
    }
    nameFailedStories(inner);
  }
}

/** Adds a runner's counts; a runner that failed without a failed test has failed all the same. */
function add(name, since, ran, counts) {
  const failed = Math.max(counts.failed, ran.ok ? 0 : 1);
  totals.passed += counts.passed;
  totals.failed += failed;
  totals.skipped += counts.skipped;
  const sound = failed === 0 && counts.passed > 0;
  if (failed === 0 && counts.passed === 0) totals.failed += 1;
  note(name, sound, since, `${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
  if (!sound) {
    failures.push(name);
    console.log(ran.output.trimEnd());
  }
}

async function runVitest() {
  const since = Date.now();
  const path = join(reports, "vitest.json");
  const ran = await runNpm("test", ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`]);
  const report = readReport(path);
  const broken = (report?.testResults ?? []).filter(
    (file) => file.status === "failed" && !file.assertionResults.some((each) => each.status === "failed"),
  ).length;
  nameFailedVitest(report);
  add("unit and database tests", since, ran, {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + broken,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  });
}

async function checkDeploy() {
  const since = Date.now();
  const path = join(reports, "deploy.json");
  const ran = await runNpm("check:deploy", ["--report", path]);
  add("deployment", since, ran, readReport(path) ?? { passed: 0, failed: 0, skipped: 0 });
}

async function runStories() {
  const since = Date.now();
  const browser = findBrowser();
  if (!browser.path) {
    totals.failed += 1;
    failures.push("browser stories");
    note("browser stories", false, since, `no browser: ${browser.reasons.join("; ")}`);
    return;
  }
  const path = join(reports, "playwright.json");
  const ran = await runNpm("test:e2e", ["--reporter=list,json"], {
    CHROMIUM_PATH: browser.path,
    PLAYWRIGHT_JSON_OUTPUT_NAME: path,
  });
  const report = readReport(path);
  nameFailedStories(report?.suites);
  const stats = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  add("browser stories", since, ran, {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  });
}

async function main() {
  requireNode();
  if (ensureInstall(root)) console.log(`ok   install (${seconds(started)})`);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });

  await check("generate", "generate");
  await Promise.all([check("format", "check:format"), check("boundaries", "check:boundaries")]);
  await Promise.all([check("structure", "check:structure"), check("document references", "check:docs")]);
  await check("types", "check:types");
  await Promise.all([check("lint", "check:lint"), check("dead code", "check:deadcode")]);
  await checkDeploy();
  const built = await check("build", "build");
  await runVitest();
  if (built) {
    await runStories();
  } else {
    totals.failed += 1;
    failures.push("browser stories");
    console.log("FAIL browser stories: nothing was built");
  }
}

try {
  await main();
} catch (error) {
  totals.failed += 1;
  failures.push("verify");
  console.error(error.message);
}
if (failures.length > 0) console.log(`\nfailed: ${failures.join(", ")}`);
for (const failed of failedTests) console.log(`  ${failed}`);
console.log(`verify took ${seconds(started)}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed === 0 ? 0 : 1;
