import { SIMULATED_LABEL } from "../scenarios/simulated-label.ts";

/** What is known of a node besides its counters. */
export interface AttributeSource {
  readonly cluster: string;
  readonly kernelRelease: string;
  readonly cgroupMode: string | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly details?: {
    /** Loaded modules that taint the kernel (out of tree, proprietary, unsigned); not there while not known. */
    readonly taintedModules?: readonly string[];
  };
}

const LOADED = "loaded";
const NOT_LOADED = "not loaded";
const MODULE = "module.";

/** Something that nodes differ in, by the key that addresses use. */
export interface NodeAttribute {
  /** `cluster`, `kernelRelease`, `cgroupMode`, `version.<program>`, `label.<key>` or `module.<name>`. */
  readonly key: string;
  /** As a sentence names it: "kernel", "runc", "label zone". */
  readonly label: string;
  /** Its values in the plural: "versions", "values". */
  readonly valuesNoun: string;
}

/**
 * Every attribute of a node and its value; what a node does not report is not there. Keys are the collector's own, so that a
 * label `zone` and a program `zone` are two attributes.
 */
function attributesOf(node: AttributeSource): ReadonlyMap<string, string> {
  return new Map([
    ["cluster", node.cluster],
    ["kernelRelease", node.kernelRelease],
    ...(node.cgroupMode === null ? [] : [["cgroupMode", node.cgroupMode] as const]),
    ...Object.entries(node.versions).map(([name, version]) => [`version.${name}`, version] as const),
    ...Object.entries(node.labels).map(([key, value]) => [`label.${key}`, value] as const),
    ...(node.details?.taintedModules ?? []).map((name) => [`${MODULE}${name}`, LOADED] as const),
  ]);
}

/** What nodes are compared by. That one is simulated says where its numbers come from, and nothing of how it is run. */
export function comparedAttributesOf(node: AttributeSource): ReadonlyMap<string, string> {
  const attributes = new Map(attributesOf(node));
  attributes.delete(`label.${SIMULATED_LABEL}`);
  return attributes;
}

/** Value of one attribute; that a module is *not loaded* is a value too, on a node whose modules are known. */
export function attributeOf(node: AttributeSource, key: string): string | undefined {
  const value = attributesOf(node).get(key);
  if (value !== undefined || !key.startsWith(MODULE) || node.details?.taintedModules === undefined)
    return value;
  return NOT_LOADED;
}

/** Attributes of nodes that are compared: a module that one has is *not loaded* on those that report modules without it. */
export function attributesOfEach<Node extends AttributeSource>(
  nodes: readonly Node[],
): Map<Node, ReadonlyMap<string, string>> {
  const modules = new Set(nodes.flatMap(({ details }) => details?.taintedModules ?? []));
  return new Map(
    nodes.map((node) => {
      const absent =
        node.details?.taintedModules === undefined ? [] : [...modules].map((name) => `${MODULE}${name}`);
      return [
        node,
        new Map([...absent.map((key) => [key, NOT_LOADED] as const), ...comparedAttributesOf(node)]),
      ];
    }),
  );
}

/** Names an attribute by its key; `undefined` for a key of no form that {@link attributesOf} makes. */
export function describeAttribute(key: string): NodeAttribute | undefined {
  if (key === "cluster") return { key, label: "cluster", valuesNoun: "clusters" };
  if (key === "kernelRelease") return { key, label: "kernel", valuesNoun: "kernels" };
  if (key === "cgroupMode") return { key, label: "cgroup mode", valuesNoun: "modes" };
  const [, family, name] = /^(version|label|module)\.(.+)$/s.exec(key) ?? [];
  if (family === undefined || name === undefined) return undefined;
  if (family === "version") return { key, label: name, valuesNoun: "versions" };
  return { key, label: `${family} ${name}`, valuesNoun: family === "module" ? "states" : "values" };
}
