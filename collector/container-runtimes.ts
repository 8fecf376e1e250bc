const CONTAINER = /^(?:.*[-:])?[0-9a-f]{64}(?:\.scope)?$/;
const MONITOR = /(?:^|[-:])conmon-/;

/**
 * Whether a cgroup of this name holds a container, by the names that runtimes give:
 *
 * - cgroupfs driver (Docker, containerd, CRI-O): the bare 64-digit id, or `crio-ID`, `libpod-ID`;
 * - systemd driver: `crio-ID.scope`, `cri-containerd-ID.scope`, `docker-ID.scope`, `libpod-ID.scope`, and
 *   `kubepods-...slice:cri-containerd:ID`.
 *
 * The monitor of a container (`crio-conmon-ID`) is not one. The pause container of a pod is.
 */
export function isContainerCgroup(name: string): boolean {
  return name.length >= 64 && CONTAINER.test(name) && !MONITOR.test(name);
}
