/**
 * Mount points of type tmpfs in the text of /proc/PID/mounts, in its order and each once. The kernel writes blanks,
 * tabs, line ends and backslashes of a path as octal escapes.
 */
export function listTmpfsMounts(mounts: string): string[] {
  const found = new Set<string>();
  for (const line of mounts.split("\n")) {
    const [, mount, type] = line.split(" ");
    if (type === "tmpfs" && mount !== undefined) {
      found.add(
        mount.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
      );
    }
  }
  return [...found];
}
