import { describe, expect, it } from "vitest";

import { readDump } from "./read-dump.ts";

const read = (text: string) => {
  const { keyNumbers, recognised } = readDump(text);
  return {
    numbers: Object.fromEntries(keyNumbers),
    warnings: recognised.flatMap(({ warnings }) => warnings),
  };
};
const RUN = "tmpfs 4112345 4112001 344 100% /run\n";

describe("df", () => {
  it.each([
    "Filesystem      Inodes   IUsed   IFree IUse% Mounted on",
    "Dateisystem      INodes IBenutzt   IFrei IUse% Eingehängt auf",
    "Sys. de fichiers  Inœuds IUtil.  ILibre IUti% Monté sur",
    "S.ficheros     Nodos-i NUsados NLibres NUso% Montado en",
    "File system     Inode  IUsati  ILib. IUso% Montato su",
    "Sist. Arq.      Inodes  IUsado ILivr IUso% Montado em",
    "Файл.система    Инодов  IИспользовано IСвободно IИспользовано% Cмонтировано в",
    "ファイルシス    Iノード  I使用   I残り I使用% マウント位置",
    "文件系统         Inodes   已用I   可用I 已用I% 挂载点",
    "Unknown tongue  Zzz IAaa IBbb ICcc% Ddd",
  ])("reads inodes and their limit under the head %j", (head) => {
    expect(read(`${head}\n${RUN}`)).toEqual({
      numbers: { "tmpfs_inodes:/run_count": 4_112_001, "tmpfs_inodes_max:/run_count": 4_112_345 },
      warnings: [],
    });
  });

  it.each([
    ["Filesystem     1K-blocks    Used Available Use% Mounted on", 1],
    ["Filesystem     1024-blocks    Used Available Capacity Mounted on", 1],
    ["Filesystem     1M-blocks    Used Available Use% Mounted on", 1024],
    ["Filesystem     512-blocks    Used Available Use% Mounted on", 0.5],
    ["Dateisystem    1K-Blöcke Benutzt Verfügbar Verw% Eingehängt auf", 1],
    ["Sys. de fichiers blocs de 1K Utilisé Disponible Uti% Monté sur", 1],
    ["ファイルシス   1M-ブロック 使用 使用可 使用% マウント位置", 1024],
  ])("reads amounts and the size under the head %j", (head, unit) => {
    expect(read(`${head}\n${RUN}`).numbers).toEqual({
      "tmpfs:/run": 4_112_001 * unit,
      "tmpfs_size:/run": 4_112_345 * unit,
      tmpfs_used_sum: 4_112_001 * unit,
    });
  });

  it("takes no number for KiB under a head that tells no unit, and says so", () => {
    const head = "Dateisystem  Größe Benutzt Verf. Verw% Eingehängt auf\n";
    expect(read(head + RUN)).toEqual({ numbers: {}, warnings: [expect.stringContaining("in which unit")] });
    expect(read(`${head}tmpfs 4,0G 1,5G 2,5G 38% /run\n`).numbers).toMatchObject({
      "tmpfs:/run_approx": 1.5 * 1024 ** 2,
    });
  });

  it("takes the options of the command where the head is filtered away", () => {
    expect(read(`$ df -i | grep tmpfs\n${RUN}`).numbers).toMatchObject({
      "tmpfs_inodes:/run_count": 4_112_001,
    });
    expect(read(`$ df -m | grep tmpfs\n${RUN}`).numbers).toMatchObject({ "tmpfs:/run": 4_112_001 * 1024 });
    expect(read(RUN).warnings).toEqual([expect.stringContaining("default of df")]);
  });

  it("reads thousands of inodes as such, not as KiB", () => {
    expect(
      read("Filesystem Inodes IUsed IFree IUse% Mounted on\ntmpfs 4.0M 2K 4.0M 1% /run\n").numbers,
    ).toEqual({
      "tmpfs_inodes:/run_approx_count": 2048,
      "tmpfs_inodes_max:/run_approx_count": 4 * 1024 ** 2,
    });
  });

  it("reads the columns that --output asks for", () => {
    const rows = "66060288 /dev/shm\n  123412 /run\n";
    expect(read(`$ df -k -t tmpfs --output=used,target | sort -rn | head\n${rows}`).numbers).toEqual({
      "tmpfs:/dev/shm": 66_060_288,
      "tmpfs:/run": 123_412,
      tmpfs_used_sum: 66_183_700,
    });
    // Of a disk as much as of memory.
    expect(read(`$ df -k --output=used,target\n${rows}`).numbers).toEqual({});
    expect(
      read("$ df --output=fstype,itotal,iused,target\ntmpfs 500 499 /run\next4 9 8 /\n").numbers,
    ).toEqual({
      "tmpfs_inodes:/run_count": 499,
      "tmpfs_inodes_max:/run_count": 500,
    });
  });
});
