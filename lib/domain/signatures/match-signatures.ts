import type { BandKey } from "../memory/bands.ts";
import type { Evidence } from "./evidence.ts";
import { riseKib } from "./explains.ts";
import { mergedCachesOf, mergedText, withMergedNames, type MergedCache } from "./merged-caches.ts";
import { missingText } from "./missing-text.ts";
import { SIGNATURES } from "./registry.ts";
import type { Outcome, SignValue } from "./sign.ts";
import { isGrowth } from "./sign.ts";
import type { Check, Signature } from "./signature.ts";

/** A sentence with the numbers that it rests on, each with its unit. */
export interface EvidenceItem {
  readonly text: string;
  readonly values: readonly SignValue[];
}

/** A signature that fits what is known. */
export interface Finding {
  readonly signature: string;
  readonly name: string;
  readonly kind: Signature["kind"];
  /** `info` for what is no leak, unless it is too much of the machine, and for what only an old log line tells. */
  readonly severity: "info" | "warning";
  /**
   * `firm` needs two independent counters and, where only growth can prove it, a trend of a day or more with an interval.
   * Everything else, any single reading of a leak among it, is `suspected`.
   */
  readonly certainty: "suspected" | "firm";
  readonly what: string;
  /** Share of the growth, or of the excess, explained x correlation x fit of version and component; 0 to 1. */
  readonly score: number;
  readonly explainedKib: number | undefined;
  /** Part of 1; `undefined` where it cannot be told. */
  readonly explainedShare: number | undefined;
  readonly evidence: readonly EvidenceItem[];
  readonly counterEvidence: readonly EvidenceItem[];
  /** What would have to be known to be surer, in words. */
  readonly missing: readonly string[];
  readonly confirm: Check;
  readonly mitigate: string;
  readonly fix: string;
  readonly affectedVersions: string;
  readonly sources: readonly string[];
}

/** A signature whose particular sign is not known and whose band holds what grows: it may be this. */
export interface Possibility {
  readonly signature: string;
  readonly name: string;
  readonly missing: readonly string[];
}

export interface SignatureReading {
  /** The best first. */
  readonly findings: readonly Finding[];
  readonly possible: readonly Possibility[];
  /** Tells the first two findings apart, or proves the only one. */
  readonly discriminate: readonly (Check & { readonly signature: string })[];
}

/** A share, a correlation or a fit that is not known counts as this: neither for nor against. */
const UNKNOWN_SHARE = 0.5;
const UNKNOWN_CORRELATION = 0.7;
const FIT = { yes: 1, unknown: 0.75, no: 0.5 } as const;
/** Each sign that speaks against it. */
const COUNTER_WEIGHT = 0.6;
/** What is read from a line that counts other caches too. */
const MERGED_WEIGHT = 0.6;
/** What only a log line tells stands behind all that counters tell. */
const HINT_WEIGHT = 0.1;
/** Below this part of MemTotal outside of cache, processes and free memory nothing is in excess. */
const USUAL_SHARE = 0.03;
/** Bands of cache, of processes and of free memory: growth of the others is the kernel's own. */
export const CACHE_AND_USER: readonly BandKey[] = ["free", "pcp", "file", "buffers", "anon"];

/** Which known signatures fit, ranked; what else may be behind it; which check tells the first two apart. */
export function matchSignatures(known: Evidence): SignatureReading {
  const merged = mergedCachesOf(known);
  const evidence = withMergedNames(known, merged);
  const whole = growthOrExcessKib(evidence);
  const findings: { finding: Finding; signs: number }[] = [];
  const possible: Possibility[] = [];
  const growing = growingBands(evidence);
  for (const signature of SIGNATURES) {
    const key = signature.key(evidence);
    if (key.answer === "no") continue;
    // Of most signatures a text says nothing at all: what is then left out is most of the work.
    if (key.answer === "unknown") {
      if (signature.kind !== "leak" || !signature.bands.some((band) => growing.has(band))) continue;
      const missing = missingWhereOpen(signature, key, evidence);
      if (missing !== undefined) possible.push({ signature: signature.id, name: signature.name, missing });
      continue;
    }
    const result = assess(signature, key, evidence, { wholeKib: whole, merged });
    if (result !== undefined) findings.push(result);
  }
  findings.sort((a, b) => b.finding.score - a.finding.score || b.signs - a.signs);
  const ranked = findings.map(({ finding }) => finding);
  return {
    findings: ranked,
    possible: mainBandFirst(possible, growing),
    discriminate: ranked.slice(0, 2).map(({ signature, confirm }) => ({ signature, ...confirm })),
  };
}

/** What was required, unless something of it is not so or something rules the signature out. */
function requiredOf(signature: Signature, evidence: Evidence): readonly Outcome[] | undefined {
  const required = (signature.requires ?? []).map((sign) => sign(evidence));
  if (required.some(({ answer }) => answer === "no")) return undefined;
  const isExcluded = (signature.excludes ?? []).some((sign) => sign(evidence).answer === "yes");
  return isExcluded ? undefined : required;
}

/** What would have to be known of a signature whose particular sign is not; `undefined` where something rules it out. */
function missingWhereOpen(
  signature: Signature,
  key: Outcome,
  evidence: Evidence,
): readonly string[] | undefined {
  const required = requiredOf(signature, evidence);
  return required && missingOf([key, ...required]);
}

/** A signature whose particular sign is there. */
function assess(
  signature: Signature,
  key: Outcome,
  evidence: Evidence,
  { wholeKib, merged }: { wholeKib: number | undefined; merged: ReadonlyMap<string, MergedCache> },
): { finding: Finding; signs: number } | undefined {
  const required = requiredOf(signature, evidence);
  if (required === undefined) return undefined;
  const supporting = (signature.supports ?? []).map((sign) => sign(evidence));
  const affected = signature.affects?.(evidence);
  const still = key.basis === "words" ? signature.stillSo?.(evidence) : undefined;
  const isHint = still !== undefined && still.answer !== "yes";
  const counted = still === undefined ? supporting : [...supporting, still];
  const missing = missingOf([...required, ...counted].filter(({ answer }) => answer === "unknown"));

  const speaking = [key, ...required, ...counted, ...(affected === undefined ? [] : [affected])];
  const evidenceFor = distinct(speaking.filter(({ answer }) => answer === "yes"));
  const against = distinct([
    ...counted.filter(({ answer }) => answer === "no"),
    ...(affected?.answer === "no" ? [affected] : []),
  ]);
  const explainedKib = signature.explainsKib(evidence);
  const explainedShare =
    explainedKib === undefined || wholeKib === undefined || wholeKib <= 0
      ? undefined
      : Math.min(1, Math.max(0, explainedKib / wholeKib));
  const correlation = Math.max(...evidenceFor.map((outcome) => outcome.correlation ?? -1));
  const contradicting = counted.filter(({ answer }) => answer === "no").length;
  const score =
    (explainedShare ?? UNKNOWN_SHARE) *
    (correlation >= 0 ? correlation : UNKNOWN_CORRELATION) *
    (affected === undefined ? FIT.unknown : FIT[affected.answer]) *
    COUNTER_WEIGHT ** contradicting *
    (cachesOf(key).some((cache) => merged.has(cache)) ? MERGED_WEIGHT : 1) *
    (isHint ? HINT_WEIGHT : 1);
  return {
    signs: evidenceFor.length,
    finding: {
      signature: signature.id,
      name: signature.name,
      kind: signature.kind,
      severity: isHint ? "info" : severityOf(signature, evidence),
      certainty: isHint
        ? "suspected"
        : certaintyOf(
            signature,
            evidenceFor.filter((outcome) => !cachesOf(outcome).some((cache) => merged.has(cache))),
          ),
      what: signature.what,
      score,
      explainedKib,
      explainedShare,
      evidence: evidenceFor.map((outcome) => toItem(outcome, merged)),
      counterEvidence: against.map((outcome) => toItem(outcome, merged)),
      missing,
      confirm: signature.confirm,
      mitigate: signature.mitigate,
      fix: signature.fix,
      affectedVersions: signature.affectedVersions,
      sources: signature.sources,
    },
  };
}

function missingOf(outcomes: readonly Outcome[]): readonly string[] {
  return [...new Set(outcomes.flatMap((outcome) => outcome.missing.map(missingText)))];
}

function severityOf({ kind, severity }: Signature, evidence: Evidence): Finding["severity"] {
  return severity?.(evidence) ?? (kind === "not-a-leak" ? "info" : "warning");
}

/** Counters are independent when different quantities of the kernel say it; words about versions are no counter. */
function certaintyOf({ provenBy }: Signature, outcomes: readonly Outcome[]): Finding["certainty"] {
  const counters = new Set(
    outcomes
      .filter(({ basis }) => provenBy === "state" || basis === "trend")
      .flatMap(({ values }) => values.map(({ name }) => counterOf(name))),
  );
  // Log lines alone say that something was met, not that it holds.
  const isMeasured = [...counters].some((name) => !name.startsWith("log:"));
  return counters.size >= 2 && isMeasured ? "firm" : "suspected";
}

/** `slab.dentry.bytes` and `slab.dentry.objects` are one counter; a band and the field that it is made of are one as well. */
function counterOf(name: string): string {
  if (name.startsWith("slab.")) return name.replace(/\.(?:bytes|objects)$/, "");
  return SAME_COUNTER[name] ?? name;
}

const SAME_COUNTER: Readonly<Record<string, string>> = {
  "meminfo.SUnreclaim": "band.sunrecl",
  "meminfo.SReclaimable": "band.srecl",
  "meminfo.Slab": "band.sunrecl",
  "meminfo.Percpu": "band.percpu",
  "meminfo.Shmem": "band.shmem",
  "total.kernelNoncache": "total.kernelUnreclaimable",
};

/** The growth of what is neither cache nor processes' memory, where there is one; else what one reading has too much of it, KiB. */
export function growthOrExcessKib(evidence: Evidence): number | undefined {
  const rises = Object.entries(evidence.changes)
    .filter(([name]) => name.startsWith("band.") && !CACHE_AND_USER.some((band) => name === `band.${band}`))
    .map(([, { first, last }]) => Math.max(0, last - first));
  const rise =
    rises.length > 0
      ? rises.reduce((total, each) => total + each, 0)
      : riseKib(evidence, "total.kernelUnreclaimable");
  const slabRise = riseKib(evidence, "meminfo.SUnreclaim");
  const growth = rise ?? slabRise;
  if (growth !== undefined && growth > 0) return growth;
  const total = evidence.levels["meminfo.MemTotal"];
  const free = evidence.levels["band.free"];
  const anon = evidence.levels["band.anon"];
  if (total === undefined || free === undefined || anon === undefined) return undefined;
  const kept = CACHE_AND_USER.reduce((sum, band) => sum + (evidence.levels[`band.${band}`] ?? 0), 0);
  return Math.max(0, total - kept - USUAL_SHARE * total);
}

/** Bands that grow; the fields of /proc/meminfo stand for theirs where no composition is there. */
function growingBands(evidence: Evidence): ReadonlySet<BandKey> {
  const found = new Set<BandKey>();
  const total = evidence.levels["meminfo.MemTotal"];
  const fields: Readonly<Record<string, BandKey>> = {
    "meminfo.SUnreclaim": "sunrecl",
    "meminfo.SReclaimable": "srecl",
    "meminfo.Percpu": "percpu",
    "meminfo.Shmem": "shmem",
    "meminfo.PageTables": "ptables",
    "meminfo.KernelStack": "kstack",
  };
  for (const [name, change] of Object.entries(evidence.changes)) {
    const band = name.startsWith("band.") ? (name.slice(5) as BandKey) : fields[name];
    if (band !== undefined && !CACHE_AND_USER.includes(band) && isGrowth(name, change, total))
      found.add(band);
  }
  return found;
}

/** Those whose first band grows before those in whose others it might show; then by how much is missing. */
function mainBandFirst(
  possible: readonly Possibility[],
  growing: ReadonlySet<BandKey>,
): readonly Possibility[] {
  const rank = ({ signature }: Possibility) => {
    const bands = SIGNATURES.find(({ id }) => id === signature)?.bands ?? [];
    const place = bands.findIndex((band) => growing.has(band));
    return place === -1 ? bands.length : place;
  };
  return [...possible].sort((a, b) => rank(a) - rank(b) || a.missing.length - b.missing.length);
}

function distinct(outcomes: readonly Outcome[]): readonly Outcome[] {
  const texts = new Set<string>();
  return outcomes.filter(({ text }) => !texts.has(text) && texts.add(text));
}

function toItem(outcome: Outcome, merged: ReadonlyMap<string, MergedCache>): EvidenceItem {
  const notes = cachesOf(outcome).flatMap((cache) => mergedText(cache, merged) ?? []);
  return { text: [outcome.text, ...notes].map((text) => `${text}.`).join(" "), values: outcome.values };
}

/** The slab caches that a sign was read from. */
function cachesOf({ values }: Outcome): readonly string[] {
  return [...new Set(values.flatMap(({ name }) => /^slab\.(.+)\.(?:bytes|objects)$/.exec(name)?.[1] ?? []))];
}
