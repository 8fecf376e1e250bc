/** What df says about a file system: the fields of its `--output`. */
export type DfField =
  | "source"
  | "fstype"
  | "itotal"
  | "iused"
  | "iavail"
  | "ipcent"
  | "size"
  | "used"
  | "avail"
  | "pcent"
  | "file"
  | "target";

/** What the numbers of a table of df count. */
export interface DfColumns {
  readonly counts: "blocks" | "inodes";
  /** KiB of a number without a unit; `undefined` where nothing tells it. */
  readonly unitKib: number | undefined;
}

/** What a command line of df tells about the lines below it. */
export interface DfCommand extends DfColumns {
  /** Only file systems in memory were asked for. */
  readonly onlyTmpfs: boolean;
  /** Of `--output`, in order; `undefined` without it. */
  readonly fields: readonly DfField[] | undefined;
}

/** `Inodes` as coreutils is translated: INodes, Inœuds, Nodos-i, Iノード, Инодов. */
const INODES =
  /^(?:i-?n(?:od|œud|oeud)|n(?:od[oi]|œud|oeud)s?-i|i-w[eę]z|i-?ノード|i-?节点|i-?節點|ино?д|아이노드)/iu;
/** IUsed, IBenutzt, IUtil., I使用, 已用I: in each language the columns of `-i` are those of blocks with an I. */
const INODE_COLUMN = /^(?:I(?:\p{Lu}|[^\p{ASCII}])[\p{L}.]+|[^\p{ASCII}]{2,}\(?I\)?)%?$/u;
/** `1K-blocks`, `1024-blocks`, `1K-Blöcke`, `1K-块`; `blocs de 1K`. */
const BLOCKS = /(?:^|\s)(?:(\d{1,4})([kKMG]?)B?-\p{L}|(\d{1,4})([kKMG])B?(?=\s))/u;
const SHARE = /\p{L}\.?%$|^%\p{L}/u;

const KIB_OF: Readonly<Record<string, number>> = { "": 1 / 1024, K: 1, M: 1024, G: 1024 ** 2 };

/** The head of a table of df in whatever language: no numbers, but blocks, inodes or a share among its words. */
export function dfHeadOf(text: string): DfColumns | undefined {
  const words = text.trim().split(/\s+/);
  if (words.length < 5 || words.length > 20) return undefined;
  if (words.some((word) => /^[\d.,]+%?$|^\//.test(word))) return undefined;
  if (words.some((word) => INODES.test(word)) || words.filter((word) => INODE_COLUMN.test(word)).length >= 2)
    return { counts: "inodes", unitKib: undefined };
  const [, size, unit = "", size2, unit2 = ""] = BLOCKS.exec(text) ?? [];
  const unitKib = kibOf(size ?? size2, size === undefined ? unit2 : unit);
  return unitKib !== undefined || words.some((word) => SHARE.test(word))
    ? { counts: "blocks", unitKib }
    : undefined;
}

function kibOf(size: string | undefined, unit: string): number | undefined {
  const kib = KIB_OF[unit.toUpperCase()];
  return size === undefined || kib === undefined ? undefined : Number(size) * kib;
}

const FIELDS: readonly DfField[] = [
  ...(["source", "fstype", "itotal", "iused", "iavail", "ipcent"] as const),
  ...(["size", "used", "avail", "pcent", "file", "target"] as const),
];

/** What a command with df in it prints; `undefined` for other commands. Blocks are 1 KiB unless it says else. */
export function dfCommandOf(command: string): DfCommand | undefined {
  const options = /(?:^|[\s;&|(/])df(?=[\s|;&)]|$)((?:\s+[^|;&\s]{1,100}){0,20})/.exec(command)?.[1];
  if (options === undefined) return undefined;
  const short = [...options.matchAll(/\s-([a-zA-Z]+)(?=\s|$)/g)].map(([, letters = ""]) => letters).join("");
  const block = /\s(?:-B\s*|--block-size=)(\d{0,4})([kKMG]?)B?(?=\s|$)/.exec(options);
  const types = [...options.matchAll(/\s(?:-[a-zA-Z]*t\s*|--type[=\s])(\w+)/g)].map(([, type = ""]) => type);
  const list = /\s--output(?:=([a-z,]{1,100}))?(?=\s|$)/.exec(options);
  return {
    counts: /i/.test(short) || /\s--inodes\b/.test(options) ? "inodes" : "blocks",
    unitKib: block ? kibOf(block[1] === "" ? "1" : block[1], block[2] ?? "") : /m/.test(short) ? 1024 : 1,
    onlyTmpfs: types.length > 0 && types.every((type) => /^(?:dev)?tmpfs$|^ramfs$/.test(type)),
    fields: list ? fieldsOf(list[1]) : undefined,
  };
}

function fieldsOf(list: string | undefined): readonly DfField[] {
  if (list === undefined) return FIELDS;
  return list.split(",").flatMap((name) => FIELDS.find((field) => field === name) ?? []);
}
