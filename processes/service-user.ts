import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The unprivileged user that PostgreSQL runs as when we are root (it refuses to run as root). */
export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

const candidates = ["nobody", "daemon"];

/** Users of an /etc/passwd text, in file order; malformed lines are left out. */
export function parsePasswd(text: string): ServiceUser[] {
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    if (!name || !/^\d+$/.test(uid ?? "") || !/^\d+$/.test(gid ?? "")) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/**
 * Chooses an existing unprivileged user: the one that already owns the data, else `nobody`, else `daemon`.
 * Undefined when the machine knows none of them.
 */
export function chooseServiceUser(
  passwd: string,
  owner?: { uid: number; gid: number },
): ServiceUser | undefined {
  const users = parsePasswd(passwd);
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find((each) => each.uid === owner.uid)?.name ?? `uid ${owner.uid}`;
    return { name, uid: owner.uid, gid: owner.gid };
  }
  for (const name of candidates) {
    const found = users.find((each) => each.name === name && each.uid !== 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Users of this machine; empty where there is no such file. */
export function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

/** The first folder above `path` (or itself) that the user may not enter; undefined when it can reach it. */
export function closedFolderAbove(path: string, user: { uid: number; gid: number }): string | undefined {
  const folders = [path];
  for (let each = path; dirname(each) !== each; each = dirname(each)) folders.unshift(dirname(each));
  return folders.find((folder) => {
    const { uid, gid, mode } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    return (mode & bit) === 0;
  });
}
