import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parseMeminfo } from "#lib/domain/procfs/meminfo.ts";
import { fixtureTrees, readTreeFile } from "../../../scripts/testing/fixture-trees.ts";
import { gatherScrapes } from "./assemble-scrapes.ts";
import { CONTAINER_SERIES, fieldsOfSeries, fieldValue, NODE_SERIES, SLAB_SERIES } from "./series-fields.ts";

/** How node_exporter names a line of /proc/meminfo: brackets to an underscore, kB to bytes with a suffix (from 0.16). */
function exported(line: string, suffix: string): { name: string; value: number } | undefined {
  const match = /^(\S+):\s+(\d+)( kB)?$/.exec(line);
  if (!match) return undefined;
  const name = (match[1] ?? "").replace(/\((.*)\)$/, "_$1");
  return match[3] === undefined
    ? { name: `node_memory_${name}`, value: Number(match[2]) }
    : { name: `node_memory_${name}${suffix}`, value: Number(match[2]) * 1024 };
}

describe("the memory of a node", () => {
  test.each(fixtureTrees().flatMap((tree) => [[tree, "_bytes"] as const, [tree, ""] as const]))(
    "of %s comes back as the kernel said it, names ending in %j",
    (tree, suffix) => {
      const text = readTreeFile(tree, "proc/meminfo") ?? "";
      const series = text.split("\n").flatMap((line) => {
        const each = exported(line, suffix);
        return each === undefined
          ? []
          : [{ labels: { __name__: each.name, instance: "a:9100" }, samples: [[1000, each.value]] as const }];
      });
      const fields = gatherScrapes(series).nodes.get("a")?.moments.get(1000) ?? {};
      const back = Object.fromEntries(
        Object.entries(fields).map(([field, value]) => [field.slice("meminfo ".length), value]),
      );
      expect(back).toEqual(Object.fromEntries(parseMeminfo(text).value.values));
    },
  );

  it("leaves out what repeats it per NUMA node, and recorded sums", () => {
    expect(fieldsOfSeries({ __name__: "node_memory_numa_MemFree", node: "0" })).toEqual([]);
    expect(fieldsOfSeries({ __name__: "node_memory_MemFree:sum" })).toEqual([]);
  });
});

test.each([
  [{ __name__: "node_boot_time" }, ["boot time"]],
  [{ __name__: "node_forks" }, ["stat forks"]],
  [{ __name__: "node_cpu", cpu: "cpu0", mode: "idle" }, ["cpu cpu0"]],
  [{ __name__: "node_cpu_seconds_total", cpu: "0", mode: "user" }, []],
  [{ __name__: "node_vmstat_oom_kill" }, ["vmstat oom_kill"]],
  [{ __name__: "node_cgroups_cgroups", subsys_name: "memory" }, ["cgroups memory"]],
  [{ __name__: "node_cgroups_cgroups", subsys_name: "cpu" }, []],
  [{ __name__: "node_filefd_allocated" }, ["file-nr allocated"]],
  [{ __name__: "node_filefd_maximum" }, ["file-nr max"]],
  [{ __name__: "node_sockstat_TCP_inuse" }, ["sockstat TCP inuse"]],
  [{ __name__: "node_sockstat_TCP_mem_bytes" }, []],
  [
    { __name__: "kubelet_started_containers_total", container_type: "container" },
    ["started.kubelet container"],
  ],
  [{ __name__: "kubelet_running_containers", container_state: "exited" }, []],
  [{ __name__: "container_runtime_crio_operations_total", operation: "CreateContainer" }, ["started.crio "]],
  [{ __name__: "crio_operations", operation_type: "ExecSync" }, []],
  [{ __name__: "node_network_up", device: "eth0" }, []],
  [{}, []],
])("%j means %j", (labels, fields) => {
  expect(fieldsOfSeries(labels).map(({ field }) => field)).toEqual(fields);
});

test("what is no reading is none: the end of a series, other NaN, infinities, negative numbers", () => {
  const [field] = fieldsOfSeries({ __name__: "node_memory_MemFree_bytes" });
  if (!field) throw new Error("no field");
  const ended = new DataView(new ArrayBuffer(8));
  ended.setBigUint64(0, 0x7ff0000000000002n);
  for (const value of [ended.getFloat64(0), NaN, Infinity, -Infinity, -4096]) {
    expect(fieldValue(field, value)).toBeUndefined();
  }
  expect(fieldValue(field, 0)).toBe(0);
});

test("the manual's list of series to write is what is read", () => {
  const manual = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const nodes = NODE_SERIES.replace("|node_cpu(_seconds_total)?", "");
  expect(manual.split("\n")).toContain([nodes, SLAB_SERIES, CONTAINER_SERIES].join("|"));
});
