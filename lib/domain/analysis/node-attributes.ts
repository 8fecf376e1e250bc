/** What is known of a node besides its counters. */
export interface AttributeSource {
  readonly cluster: string;
  readonly kernelRelease: string;
  readonly cgroupMode: string | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Something that nodes differ in, by the key that addresses use. */
export interface NodeAttribute {
  /** `cluster`, `kernelRelease`, `cgroupMode`, `version.<program>` or `label.<key>`. */
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
export function attributesOf(node: AttributeSource): ReadonlyMap<string, string> {
  return new Map([
    ["cluster", node.cluster],
    ["kernelRelease", node.kernelRelease],
    ...(node.cgroupMode === null ? [] : [["cgroupMode", node.cgroupMode] as const]),
    ...Object.entries(node.versions).map(([name, version]) => [`version.${name}`, version] as const),
    ...Object.entries(node.labels).map(([key, value]) => [`label.${key}`, value] as const),
  ]);
}

/** Names an attribute by its key; `undefined` for a key of no form that {@link attributesOf} makes. */
export function describeAttribute(key: string): NodeAttribute | undefined {
  if (key === "cluster") return { key, label: "cluster", valuesNoun: "clusters" };
  if (key === "kernelRelease") return { key, label: "kernel", valuesNoun: "kernels" };
  if (key === "cgroupMode") return { key, label: "cgroup mode", valuesNoun: "modes" };
  const [, family, name] = /^(version|label)\.(.+)$/s.exec(key) ?? [];
  if (family === undefined || name === undefined) return undefined;
  return family === "version"
    ? { key, label: name, valuesNoun: "versions" }
    : { key, label: `label ${name}`, valuesNoun: "values" };
}
