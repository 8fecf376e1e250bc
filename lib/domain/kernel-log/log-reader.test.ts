import { describe, expect, it } from "vitest";
import { createLogReader, isWorthReading, type LogEvent } from "./log-reader.ts";

function readAll(lines: readonly string[]): LogEvent[] {
  const reader = createLogReader();
  return lines
    .filter(isWorthReading)
    .flatMap((text, index) => reader.read({ text, atMs: 1000 + index, id: `log:${index}` }) ?? []);
}

describe("createLogReader", () => {
  it("tells the node's shortage from a container's limit, 4.19 and later", () => {
    const [node] = readAll([
      "java invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0",
      "CPU: 1 PID: 4021 Comm: java Not tainted 5.10.0",
      " slab_reclaimable:12000 slab_unreclaimable:5400000",
      "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/system.slice/app.service,task=java,pid=4021,uid=1000",
      "Out of memory: Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:13500kB oom_score_adj:0",
      "oom_reaper: reaped process 4021 (java), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
    ]);
    expect(node).toMatchObject({
      kind: "oom-kill",
      severity: "critical",
      title: "Out of memory on the node: the kernel ended java",
    });
    expect(node?.text).toContain("java invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE)");
    expect(node?.text).toContain("slab_unreclaimable:5400000");
    expect(node?.text).toContain("Out of memory: Killed process 4021 (java) total-vm:8231412kB");

    const [container] = readAll([
      "stress invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=985",
      "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-1.scope,mems_allowed=0,oom_memcg=/kubepods.slice/kubepods-pod1.slice,task_memcg=/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope,task=stress,pid=77,uid=0",
      "Memory cgroup out of memory: Killed process 77 (stress) total-vm:2623712kB, anon-rss:506500kB, file-rss:1268kB, shmem-rss:0kB, UID:0 pgtables:1100kB oom_score_adj:985",
    ]);
    expect(container?.title).toBe("Out of memory at the limit of a container: the kernel ended stress");
    expect(container?.text).toContain("Limit of: /kubepods.slice/kubepods-pod1.slice");
    expect(container?.subject).toContain("cri-containerd-1.scope");
  });

  it("tells them apart in the several lines of 3.10 to 4.18", () => {
    const [container, node] = readAll([
      "stress invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0",
      "Task in /docker/8d5f killed as a result of limit of /docker/8d5f",
      "memory: usage 131072kB, limit 131072kB, failcnt 12",
      "Memory cgroup out of memory: Kill process 77 (stress) score 1001 or sacrifice child",
      "Killed process 77 (stress) total-vm:2623712kB, anon-rss:130500kB, file-rss:0kB",
      "java invoked oom-killer: gfp_mask=0x201da, order=0, oom_score_adj=0",
      "Out of memory: Kill process 4021 (java) score 900 or sacrifice child",
      "Killed process 4021 (java) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB",
    ]);
    expect(container?.title).toBe("Out of memory at the limit of a container: the kernel ended stress");
    expect(container?.text).toContain("Limit of: /docker/8d5f");
    expect(node?.title).toBe("Out of memory on the node: the kernel ended java");
  });

  it("claims no scope that the log does not tell", () => {
    const [kill] = readAll([
      "Killed process 77 (stress) total-vm:2623712kB, anon-rss:130500kB, file-rss:0kB",
    ]);
    expect(kill?.title).toBe("The OOM killer ended stress");
  });

  it("ends each process of a group that is ended together, within the report's scope", () => {
    const kills = readAll([
      "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
      "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/g,task_memcg=/g,task=a,pid=1,uid=0",
      "Memory cgroup out of memory: Killed process 1 (a) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB",
      "Tasks in /g are going to be killed due to memory.oom.group set",
      "Memory cgroup out of memory: Killed process 2 (b) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB",
    ]);
    expect(kills.map(({ title }) => title.at(-1))).toEqual(["a", "b"]);
    expect(kills[1]?.text.split("\n")[0]).toContain("Killed process 2 (b)");
  });

  it("puts no kill down to the cgroup of a report that has ended", () => {
    const [first, second, third] = readAll([
      "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
      "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/kubepods/podA,task_memcg=/kubepods/podA/c,task=a,pid=100,uid=0",
      "Memory cgroup out of memory: Killed process 100 (aaa-in-podA) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
      // The kernel held back the heads of these.
      "Memory cgroup out of memory: Killed process 200 (bbb-in-podB) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
      "Out of memory: Killed process 300 (ccc) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
    ]);
    expect(first?.text).toContain("Limit of: /kubepods/podA");
    expect(second?.title).toBe("Out of memory at the limit of a container: the kernel ended bbb-in-podB");
    expect(`${second?.text} ${second?.subject}`).not.toContain("podA");
    expect(third?.title).toBe("Out of memory on the node: the kernel ended ccc");
    expect(`${third?.text} ${third?.subject}`).not.toContain("podA");
  });

  it.each([
    [
      "of the node, by the several lines of 3.10",
      [
        "stress invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0",
        "Task in /docker/aaa killed as a result of limit of /docker/aaa",
      ],
      "Out of memory: Killed process 300 (ccc) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
    ],
    [
      "of another process, by the one line since 4.19",
      [
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/docker/aaa,task_memcg=/docker/aaa,task=a,pid=100,uid=0",
      ],
      "Memory cgroup out of memory: Killed process 300 (ccc) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
    ],
    [
      "that is announced for the node",
      [
        "Task in /docker/aaa killed as a result of limit of /docker/aaa",
        "Out of memory: Kill process 300 (ccc) score 900 or sacrifice child",
      ],
      "Killed process 300 (ccc) total-vm:8231412kB, anon-rss:6120000kB, file-rss:0kB",
    ],
  ])("takes nothing of a report whose kill is missing for a kill %s", (_, head, kill) => {
    const [event] = readAll([...head, kill]);
    expect(`${event?.text} ${event?.subject}`).not.toContain("/docker/aaa");
  });

  it("takes what a program quotes for none of the kernel's words, also not as a part of a report", () => {
    const reader = createLogReader();
    const report = [
      [
        true,
        "seen: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/q,task_memcg=/q,task=a,pid=7,uid=0",
      ],
      [
        true,
        "saw in log: Out of memory: Killed process 1118 (quoted) total-vm:1kB, anon-rss:1kB, file-rss:0kB",
      ],
      [true, "mkdir /sys/fs/cgroup/memory/kubepods/x: cannot allocate memory"],
      [false, "Memory cgroup out of memory: Killed process 7 (a) total-vm:1kB, anon-rss:1kB, file-rss:0kB"],
    ] as const;
    const events = report.flatMap(
      ([isOfProgram, text], index) =>
        reader.read({ text, atMs: index, id: `log:${index}`, isOfProgram }) ?? [],
    );
    expect(events.map(({ patternId }) => patternId)).toEqual(["memcg-mkdir-enomem", "oom-kill"]);
    expect(events[1]?.text).not.toContain("/q");
  });

  it("finds what counts at the end of a long message, and quotes it", () => {
    const what = "mkdir /sys/fs/cgroup/memory/kubepods/x: cannot allocate memory";
    const [event] = readAll([`E1130 syncPod failed: ${"x".repeat(9000)} ${what} end`]);
    expect(event?.patternId).toBe("memcg-mkdir-enomem");
    expect(event?.text).toMatch(/^E1130 syncPod/);
    expect(event?.text).toContain(what);
    expect(event?.text.length).toBeLessThan(4000);
  });

  it("keeps the line as it was printed and says what it means", () => {
    const [event] = readAll(["TCP: out of memory -- consider tuning tcp_mem"]);
    expect(event?.text).toMatch(/^TCP: out of memory -- consider tuning tcp_mem\n\nSockets hold/);
  });
});
