import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collectorFiles, loadCollectorFiles } from "./collector-files.ts";

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "plumbline-files-"));
  for (const folder of ["collector", "dist", "deploy/systemd"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "dist/collector.mjs"), "console.log(1);\n");
  for (const file of [
    "collector/plumbline-collector.sh",
    "deploy/systemd/plumbline-collector-sh.service",
    "deploy/systemd/plumbline-collector.service",
  ])
    writeFileSync(join(root, file), readFileSync(file));
});
afterAll(() => rmSync(root, { recursive: true }));

it("hands out what lies in the build, with the digest that sha256sum prints", () => {
  expect(collectorFiles()).toEqual([]);
  loadCollectorFiles(root);
  const script = collectorFiles().find(({ path }) => path === "/collector.sh");
  expect(script?.body).toEqual(readFileSync("collector/plumbline-collector.sh"));
  expect(script?.sha256).toBe(
    createHash("sha256")
      .update(script?.body ?? "")
      .digest("hex"),
  );
  // printf 'console.log(1);\n' | sha256sum
  expect(collectorFiles().find(({ path }) => path === "/collector.js")?.sha256).toBe(
    "b603d946eb2b396ca4ecf65c223daff659dbe6f1cfeac235b7c61d3ba6964cae",
  );
  expect(collectorFiles()).toHaveLength(4);
});

it("does not start where the program is not built", () => {
  rmSync(join(root, "dist"), { recursive: true });
  expect(() => loadCollectorFiles(root)).toThrow(/collector\.mjs/);
});
