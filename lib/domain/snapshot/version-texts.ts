/** The first thing in the output of `PROGRAM --version` that looks like a version, without a leading `v`. */
export function parseVersionOutput(output: string): string | undefined {
  return /(?:^|[\s:])v?(\d{1,5}\.\d{1,5}[0-9A-Za-z.+~_-]{0,80})/.exec(output.slice(0, 4096))?.[1];
}

/** `PRETTY_NAME` of os-release(5). */
export function parseOsRelease(text: string): string | undefined {
  const value = /^PRETTY_NAME=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))\s*$/m.exec(text);
  const name = value?.[1]?.replace(/\\(.)/g, "$1") ?? value?.[2] ?? value?.[3];
  return name === undefined || name === "" ? undefined : name.slice(0, 300);
}
