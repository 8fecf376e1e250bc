import type { Vmallocinfo } from "#lib/domain/procfs/vmallocinfo.ts";

/** Who allocates a stack, by kernel version: each of these does nothing else in vmalloc space. */
const STACK_CALLERS = new Set(["kernel_clone", "_do_fork", "dup_task_struct", "copy_process", "fork_idle"]);

/**
 * Whether the kernel's stacks lie in vmalloc space, so that `VmallocUsed` contains `KernelStack`.
 *
 * Every machine runs tasks, so a readable /proc/vmallocinfo without an area of a fork means no; an empty one means
 * that it could not be read, and gives `undefined`.
 */
export function readVmapStack(vmallocinfo: Vmallocinfo): boolean | undefined {
  if (vmallocinfo.areas.length === 0) return undefined;
  return vmallocinfo.areas.some(
    (area) => area.pages !== undefined && STACK_CALLERS.has(withoutSuffix(area.caller)),
  );
}

/** Compilers split functions: `copy_process.part.0`, `dup_task_struct.isra.3`. */
function withoutSuffix(caller: string | undefined): string {
  return caller?.split(".", 1)[0] ?? "";
}
