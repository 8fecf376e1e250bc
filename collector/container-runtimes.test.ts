import { describe, expect, it } from "vitest";
import { isContainerCgroup } from "./container-runtimes.ts";

const ID = "0123456789abcdef".repeat(4);

describe("isContainerCgroup", () => {
  it.each([
    ID,
    `crio-${ID}`,
    `crio-${ID}.scope`,
    `cri-containerd-${ID}.scope`,
    `docker-${ID}.scope`,
    `libpod-${ID}`,
    `libpod-${ID}.scope`,
    `kubepods-burstable-pod12ab_34.slice:cri-containerd:${ID}`,
  ])("takes %s for a container", (name) => expect(isContainerCgroup(name)).toBe(true));

  it.each([
    "",
    "kubepods.slice",
    "kubepods-besteffort-pod0a1b2c3d_0000_4000_8000_000000000000.slice",
    "pod0a1b2c3d-0000-4000-8000-000000000000",
    `crio-conmon-${ID}.scope`,
    `libpod-conmon-${ID}.scope`,
    ID.slice(1),
    `${ID}0`,
    `${ID}.mount`,
    ID.toUpperCase(),
  ])("does not take %s for one", (name) => expect(isContainerCgroup(name)).toBe(false));
});
