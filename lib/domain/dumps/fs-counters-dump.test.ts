import { describe, expect, it } from "vitest";

import { readDump } from "./read-dump.ts";

const numbersOf = (text: string) => Object.fromEntries(readDump(text).keyNumbers);
const GROUP = "/sys/fs/cgroup/memory/memory";

describe("bare numbers", () => {
  it.each([
    [
      "$ sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max\n" +
        "net.netfilter.nf_conntrack_count = 12\nnet.netfilter.nf_conntrack_max = 262144\n",
      { nf_conntrack_count: 12, nf_conntrack_max_count: 262_144 },
    ],
    [
      "$ grep . /proc/sys/net/netfilter/nf_conntrack_*\n" +
        "/proc/sys/net/netfilter/nf_conntrack_count:12\n/proc/sys/net/netfilter/nf_conntrack_max:262144\n",
      { nf_conntrack_count: 12, nf_conntrack_max_count: 262_144 },
    ],
  ])("are what their own line names, whatever the command names: %j", (text, numbers) => {
    expect(numbersOf(text)).toEqual(numbers);
  });

  it("answer a command with several files in its order", () => {
    expect(
      numbersOf(
        `$ cat ${GROUP}.kmem.usage_in_bytes ${GROUP}.max_usage_in_bytes ${GROUP}.usage_in_bytes\n1024\n2048\n4096\n`,
      ),
    ).toEqual({ "memory.kmem.usage": 1, "memory.usage": 4 });
  });

  it("are not read where it is not known which file they are of", () => {
    expect(numbersOf(`$ cat ${GROUP}.kmem.usage_in_bytes ${GROUP}.usage_in_bytes\n1024\n`)).toEqual({});
  });

  it("of one file are a series", () => {
    expect(numbersOf(`$ watch cat ${GROUP}.current\n1024\n4096\n`)).toEqual({
      "memory.current_first": 1,
      "memory.current_last": 4,
    });
  });
});
