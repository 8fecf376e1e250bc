import type { SharedHead } from "#lib/charts/shared-document.ts";
import type { Redactor } from "#lib/domain/redaction/redact-text.ts";
import type { ShareReader } from "./share-reader.ts";

/** Fields whose values are words and keys of the program itself, never of whoever is observed or writes. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "align",
  "caches",
  "key",
  "kind",
  "levelVerdict",
  "madeBy",
  "method",
  "metric",
  "mode",
  "slopeVerdict",
  "source",
  "state",
  "status",
  "tone",
  "unit",
  "verdict",
  "zone",
]);

/** Every text of a value that somebody may have written, or that may name something. */
function textsOf(value: unknown, field = ""): string[] {
  if (typeof value === "string") return OWN_WORDS.has(field) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, field));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, name));
}

/** A value of the same form with each of these texts redacted. */
function redacted<Value>(value: Value, redactor: Redactor): Value {
  const walk = (each: unknown, field: string): unknown => {
    if (typeof each === "string") return OWN_WORDS.has(field) ? each : redactor.redact(each);
    if (Array.isArray(each)) {
      // Numbers are most of it.
      return typeof each[0] === "number" ? each : each.map((item) => walk(item, field));
    }
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [name, walk(item, name)]));
  };
  // Only texts differ, and they stay texts.
  return walk(value, "") as Value;
}

/** Values of labels that say what runs on a node and not whose it is; a text about a leak is about these. */
const ORDINARY: ReadonlySet<string> = new Set(
  (
    "true false yes no on off enabled disabled default linux windows amd64 arm64 x86_64 aarch64 ppc64le s390x master worker infra " +
    "control-plane compute docker podman containerd crio cri-o runc crun kata gvisor kubelet ubuntu debian rhel centos fedora rocky " +
    "almalinux suse sles flatcar rhcos bottlerocket cgroupfs systemd v1 v2 spot on-demand"
  ).split(" "),
);

/** Whether the value of a label may say whose a node is, or where: no number, no version, no word that stands everywhere. */
function isTelling(value: string): boolean {
  return (
    value.length > 2 && !/^v?\d+(?:\.\d+)*(?:[-+.].*)?$/i.test(value) && !ORDINARY.has(value.toLowerCase())
  );
}

/** Who wrote the marks of a view; the program's own are not people. */
function authorsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(authorsOf);
  if (typeof value !== "object" || value === null) return [];
  const own =
    "author" in value &&
    typeof value.author === "string" &&
    !("madeBy" in value && value.madeBy === "machine")
      ? [value.author]
      : [];
  return [...own, ...Object.values(value).flatMap(authorsOf)];
}

function peopleOf({ people, openedBy, pins, entries }: SharedHead): string[] {
  return [
    ...people,
    openedBy,
    ...pins.map(({ createdBy }) => createdBy),
    ...entries.flatMap(({ createdBy, madeBy }) => (madeBy === "machine" ? [] : [createdBy])),
  ];
}

/**
 * A reader whose every text has names of nodes, hosts, users, clusters and labels, addresses and ids replaced, the same for the same in all of them. The
 * nodes of the investigation are node-1, node-2, … in their order. Views are redacted in the order in which they are asked for, so
 * that the same questions give the same names each time.
 * @param known names of other nodes and of people, which may stand in texts; and texts that views are made of.
 */
export function redactedReader(
  reader: ShareReader,
  redactor: Redactor,
  known: {
    readonly nodes: readonly {
      readonly name: string;
      readonly cluster: string;
      readonly labels: Readonly<Record<string, string>>;
    }[];
    readonly people: readonly string[];
    readonly texts: readonly string[];
  },
): ShareReader {
  const { head } = reader;
  for (const name of new Set([...head.nodes, ...known.nodes.map((node) => node.name)]))
    redactor.know("node", name);
  for (const name of new Set([...peopleOf(head), ...known.people])) redactor.know("user", name);
  for (const name of new Set(known.nodes.map(({ cluster }) => cluster))) redactor.know("cluster", name);
  for (const value of new Set(known.nodes.flatMap(({ labels }) => Object.values(labels))))
    if (isTelling(value)) redactor.know("label", value);
  for (const text of [...textsOf(head), ...known.texts]) redactor.learn(text);
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(reading: Promise<Value>): Promise<Value> => {
    const mine = before.then(async () => {
      const value = await reading;
      for (const name of authorsOf(value)) redactor.know("user", name);
      for (const text of textsOf(value)) redactor.learn(text);
      return redacted(value, redactor);
    });
    before = mine.catch(() => undefined);
    return mine;
  };
  return {
    ...reader,
    head: redacted(head, redactor),
    readPin: (number) => inTurn(reader.readPin(number)),
    readCloser: (number, part) => inTurn(reader.readCloser(number, part)),
    readEffect: (reference) => inTurn(reader.readEffect(reference)),
  };
}
