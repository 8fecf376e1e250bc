import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { creatorOf } from "./cgroup-creator.ts";
import { walkCgroups } from "./cgroup-walk.ts";
import { createCreatorCounter, createPodNames, parseCreatorState, type CreatorCounter } from "./creators.ts";

const UID = "8ab2d9a4-5c1e-4e0f-9c1b-2b1f6c1f0a11";
const ID = "5e9c1b2b1f6c1f0a118ab2d9a45c1e4e0f9c1b2b1f6c1f0a118ab2d9a45c1e4e";
const SYSTEMD_POD = `kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${UID.replaceAll("-", "_")}.slice`;
const PLACE = { bootId: "b", hierarchy: "/sys/fs/cgroup" };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), "creators-"));
  folders.push(made);
  return made;
}

const unnamed = () => undefined;
const nobody = { names: unnamed, isKnown: () => false };

describe("creatorOf", () => {
  it.each([
    [`${SYSTEMD_POD}/cri-containerd-${ID}.scope`, "new pods, burstable"],
    [`kubepods/besteffort/pod${UID}/${ID}`, "new pods, besteffort"],
    [`kubepods/pod${UID}/${ID}`, "new pods, guaranteed"],
    // A static pod has the hash of its file.
    ["kubepods/burstable/podd9a45c1e4e0f9c1b2b1f6c1f0a118ab2/abc", "new pods, burstable"],
    [`system.slice/docker-${ID}.scope`, "system.slice/docker-*.scope"],
    [`libpod_parent/libpod-${ID}`, "libpod_parent/libpod-*"],
    [`machine.slice/libpod-conmon-${ID}.scope`, "machine.slice/libpod-conmon-*.scope"],
    ["user.slice/user-1000.slice/session-12.scope", "user.slice/user-*.slice/session-*.scope"],
    ["system.slice/run-r5e9c1b2b1f6c1f0a118ab2d9a45c1e4e.scope", "system.slice/run-r*.scope"],
    ["system.slice/cron.service", "system.slice/cron.service"],
    ["system.slice/run-p1234-i5678.scope", "system.slice/run-p*.scope"],
    ["system.slice/run-u42.service", "system.slice/run-u*.service"],
    ["system.slice/getty@tty1.service", "system.slice/getty@*.service"],
    ["system.slice/app-28361540.scope", "system.slice/app-*.scope"],
    ["system.slice/job_5e9c1b2b.scope", "system.slice/job_*.scope"],
    ["batch/1234", "batch/*"],
    [`kata_overhead/${UID}`, "kata_overhead/*"],
    // Names, and not ids: each is one of its own.
    ["fe4test.slice", "fe4test.slice"],
    ["web1", "web1"],
    ["web2", "web2"],
    ["system.slice/feedface.service", "system.slice/feedface.service"],
    ["system.slice/postgresql-13.service", "system.slice/postgresql-13.service"],
    ["system.slice/php7.4-fpm.service", "system.slice/php7.4-fpm.service"],
    ["lkr/c12", "lkr/c12"],
  ])("names the creator of %s", (cgroup, creator) => {
    expect(creatorOf(cgroup, nobody)).toBe(creator);
  });

  it("names a pod that was there before by itself", () => {
    const pods = { names: unnamed, isKnown: (uid: string) => uid === UID };
    expect(creatorOf(`${SYSTEMD_POD}/cri-containerd-${ID}.scope`, pods)).toBe(`pod ${UID}`);
  });

  it.each([
    ["jobs/pull-monitor-28361540-x7k2p", "jobs/pull-monitor-*"],
    ["default/web-7d9f8b6c5d-x2x9z", "default/web-*"],
    ["kube-system/kube-proxy-8wz6b", "kube-system/kube-proxy-*"],
    ["db/postgres-0", "db/postgres-*"],
    ["kube-system/etcd-node-1", "kube-system/etcd-node-*"],
    ["default/single", "default/single"],
  ])("takes from %s what a controller made up", (name, creator) => {
    expect(creatorOf(`kubepods/pod${UID}/${ID}`, { names: () => name, isKnown: () => true })).toBe(creator);
  });
});

describe("createPodNames", () => {
  it("reads names from the directories of pod logs, again when a pod is new", () => {
    const root = folder();
    const logs = path.join(root, "var/log/pods");
    mkdirSync(path.join(logs, `jobs_pull-monitor-28361540-x7k2p_${UID}`), { recursive: true });
    const names = createPodNames(root);
    expect(names(UID)).toBe("jobs/pull-monitor-28361540-x7k2p");
    const later = UID.replace("8ab2", "9ab2");
    mkdirSync(path.join(logs, `default_web-0_${later}`));
    expect(names(later)).toBe("default/web-0");
    expect(createPodNames(path.join(root, "none"))(UID)).toBeUndefined();
  });
});

describe("createCreatorCounter", () => {
  const leaves = (counter: CreatorCounter, names: readonly string[], created?: number) =>
    counter.take({ newLeaves: names, newDirectories: names.length, created });

  it("counts from the second look on, by creator, beside what the kernel made", () => {
    const counter = createCreatorCounter(PLACE, unnamed, undefined);
    leaves(counter, ["system.slice/cron.service"], 100);
    leaves(counter, ["lkr/app-11111", "lkr/app-22222", "system.slice/a.service"], 110);
    leaves(counter, ["lkr/app-33333"], 111);
    expect(counter.section()).toEqual({
      seen: 4,
      made: 11,
      creators: [
        { name: "lkr/app-*", created: 3 },
        { name: "system.slice/a.service", created: 1 },
      ],
    });
  });

  it("goes on in the same boot and begins anew in another", () => {
    const counter = createCreatorCounter(PLACE, unnamed, undefined);
    leaves(counter, [], 100);
    leaves(counter, ["lkr/c1"], 105);
    const saved = parseCreatorState(JSON.stringify(counter.state()));
    const same = createCreatorCounter(PLACE, unnamed, saved);
    // What happened while nobody looked is counted on neither side.
    leaves(same, ["lkr/c1", "lkr/c2"], 200);
    leaves(same, ["lkr/c1"], 202);
    expect(same.section()).toEqual({ seen: 2, made: 7, creators: [{ name: "lkr/c1", created: 2 }] });
    const other = createCreatorCounter({ ...PLACE, bootId: "c" }, unnamed, saved);
    expect(other.section()).toEqual({ seen: 0, made: 0, creators: [] });
  });

  it("says nothing of what was made where inode numbers do not tell", () => {
    const counter = createCreatorCounter(PLACE, unnamed, undefined);
    leaves(counter, []);
    leaves(counter, ["lkr/c1"]);
    expect(counter.section()).toEqual({ seen: 1, creators: [{ name: "lkr/c1", created: 1 }] });
  });

  it("keeps web1 and web2 apart, and adds up what a loop numbers, over restarts", () => {
    const counter = createCreatorCounter(PLACE, unnamed, undefined);
    leaves(counter, []);
    leaves(counter, ["web1", "web2", "fe4test.slice", ...Array.from({ length: 90 }, (_, n) => `lkr/c${n}`)]);
    leaves(counter, ["web2", "lkr/c90"]);
    const saved = parseCreatorState(JSON.stringify(counter.state()));
    const later = createCreatorCounter(PLACE, unnamed, saved);
    leaves(later, []);
    leaves(later, ["lkr/c91"]);
    expect(later.section().creators).toEqual([
      { name: "lkr/c*", created: 92 },
      { name: "web2", created: 2 },
      { name: "fe4test.slice", created: 1 },
      { name: "web1", created: 1 },
    ]);
  });

  it("stays bounded, and no count falls", () => {
    const counter = createCreatorCounter(PLACE, unnamed, undefined);
    leaves(counter, []);
    leaves(
      counter,
      Array.from({ length: 50 }, () => "busy/x"),
    );
    let before = new Map<string, number>();
    for (let round = 0; round < 1000; round += 1) {
      leaves(counter, [
        `unit-${"abcdefghij"[round % 10] ?? ""}${"klmnopqrst"[Math.floor(round / 10) % 10] ?? ""}${"uvwxyzghij"[Math.floor(round / 100)] ?? ""}.service`,
      ]);
      const now = new Map(counter.section().creators.map(({ name, created }) => [name, created]));
      for (const [name, created] of now) expect(created).toBeGreaterThanOrEqual(before.get(name) ?? 0);
      before = now;
    }
    const { creators, seen } = counter.section();
    expect(creators.length).toBeLessThanOrEqual(100);
    expect(seen).toBe(1050);
    expect(creators.slice(0, 2).map(({ name }) => name)).toEqual(["(others)", "busy/x"]);
    expect(Object.values(counter.state().creators).reduce((sum, each) => sum + each, 0)).toBe(1050);
  });

  it("finds new directories in a tree", () => {
    const root = folder();
    mkdirSync(path.join(root, "lkr/c1"), { recursive: true });
    const first = walkCgroups(root);
    mkdirSync(path.join(root, "lkr/c2"));
    rmdirSync(path.join(root, "lkr/c1"));
    const { newLeaves, newDirectories } = walkCgroups(root, new Set(first.inodes));
    expect({ newLeaves, newDirectories }).toEqual({ newLeaves: ["lkr/c2"], newDirectories: 1 });
  });
});

describe("parseCreatorState", () => {
  it.each(["", "null", "{}", '{"bootId":"b","hierarchy":"h","seen":-1,"creators":{}}'])(
    "starts anew with %j",
    (text) => {
      expect(parseCreatorState(text)).toBeUndefined();
    },
  );
});
