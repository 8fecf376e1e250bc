import { describe, expect, it } from "vitest";

import { readDump } from "../dumps/read-dump.ts";
import { matchSignatures } from "../signatures/match-signatures.ts";
import { evidenceFromDump } from "./evidence-from-dump.ts";
import { explainDump } from "./explain.ts";

const row = (name: string, objects: number, size: number) =>
  `${name} ${objects} ${objects} ${size} ${4096 / size} 1 : tunables 0 0 0 : slabdata ${(objects * size) / 4096} ${(objects * size) / 4096} 0\n`;
const MEMINFO = "MemTotal: 16000000 kB\nSlab: 5400000 kB\nSReclaimable: 400000 kB\nSUnreclaim: 5000000 kB\n";
const KEYS = row("biovec-16", 16_000_000, 256);
const LISTINGS = [
  [
    "slabinfo -a",
    ":0000256     <- biovec-16 key_jar ip_dst_cache\n:a-0000104   <- buffer_head ext4_prealloc\n",
  ],
  [
    "ls -l /sys/kernel/slab",
    "total 0\ndrwxr-xr-x 2 root root 0 Nov 30 10:00 :0000256\ndrwxr-xr-x 2 root root 0 Nov 30 10:00 dentry\n" +
      "lrwxrwxrwx 1 root root 0 Nov 30 10:00 biovec-16 -> :0000256\nlrwxrwxrwx 1 root root 0 Nov 30 10:00 ip_dst_cache -> :0000256\n" +
      "lrwxrwxrwx 1 root root 0 Nov 30 10:00 key_jar -> :0000256\nlrwxrwxrwx 1 root root 0 Nov 30 10:00 key_jar(12:abc) -> :0000256\n",
  ],
  ["slabinfo -i", "biovec-16       -> :0000256\nip_dst_cache    -> :0000256\nkey_jar         -> :0000256\n"],
] as const;

describe("names that SLUB merged into one cache", () => {
  it.each(LISTINGS)("are read from %s", (command, listing) => {
    const reading = readDump(`# ${command}\n${listing}`);
    expect(reading.unrecognised).toEqual([]);
    expect([...(reading.mergedCaches[0] ?? [])].sort()).toEqual([
      ":0000256",
      "biovec-16",
      "ip_dst_cache",
      "key_jar",
    ]);
  });

  it.each(LISTINGS)(
    "give a signature the line that counts its cache, and say so (%s)",
    (command, listing) => {
      const text = `${MEMINFO}${KEYS}# ${command}\n${listing}`;
      const keyrings = explainDump(text).findings.find(({ signature }) => signature === "S31");
      expect(keyrings?.evidence.map((each) => each.text).join("\n")).toContain(
        "SLUB counts key_jar under the name biovec-16, together with biovec-16, ip_dst_cache.",
      );
      expect(keyrings?.certainty).toBe("suspected");
      expect(explainDump(`${MEMINFO}${KEYS}`).findings).toEqual([]);
    },
  );

  it("rank below what has a line of its own", () => {
    const scoreOf = (text: string) =>
      explainDump(text).findings.find(({ signature }) => signature === "S31")?.score ?? 0;
    const own = scoreOf(`${MEMINFO}${row("key_jar", 16_000_000, 256)}`);
    expect(scoreOf(`${MEMINFO}${KEYS}key_jar -> :0000256\nbiovec-16 -> :0000256\n`)).toBeCloseTo(
      0.6 * own,
      9,
    );
  });

  it("are named with the suspect, which is then no proof by its name", () => {
    const tasks = row("cred_jar", 16_000_000, 256);
    expect(explainDump(`${MEMINFO}${tasks}`).verdict).toBe("leak");
    const { verdict, holders } = explainDump(
      `${MEMINFO}${tasks}cred_jar -> :0000256\nbiovec-16 -> :0000256\n`,
    );
    expect(verdict).toBe("unclear");
    expect(holders[0]?.reason).toContain("SLUB counts biovec-16 under the name cred_jar too");
  });

  it("change with the line that counts them", () => {
    const text = `${row("biovec-16", 1_600_000, 256)}\n\n${KEYS}\n# slabinfo -i\n${LISTINGS[2][1]}`;
    const evidence = {
      ...evidenceFromDump(readDump(text)),
      changes: {
        "slab.biovec-16.bytes": {
          first: 4e8,
          last: 4e9,
          max: 4e9,
          samples: 40,
          hours: 48,
          lowerPerHour: 7e7,
          persistent: true,
        },
      },
    };
    const keyrings = matchSignatures(evidence).findings.find(({ signature }) => signature === "S31");
    expect(keyrings?.evidence.map((each) => each.text).join("\n")).toMatch(
      /key_jar rose .*SLUB counts key_jar/,
    );
    // A trend of two days is still that of whichever cache the line counts.
    expect(keyrings?.certainty).toBe("suspected");
  });

  it("may stand behind a kmalloc cache of an old kernel, whose links were not read", () => {
    const old = `3.10.0-1160.el7.x86_64\n${MEMINFO}${row("kmalloc-64", 64_000_000, 64)}`;
    expect(explainDump(old).holders[0]?.reason).toContain("SLUB may count other caches of 64 bytes");
    expect(explainDump(old.replace("3.10.0-1160.el7", "5.10.0-20")).holders[0]?.reason).not.toContain("SLUB");
  });
});
