import { readDump, type RecognisedArtefact } from "../dumps/read-dump.ts";
import { reportedBands, type Composition } from "../memory/composition.ts";
import { describeNote } from "../memory/composition-notes.ts";
import { reconcileUsed, type UsedMemory } from "../memory/who-is-right.ts";
import type { Evidence } from "../signatures/evidence.ts";
import {
  matchSignatures,
  type Finding,
  type Possibility,
  type SignatureReading,
} from "../signatures/match-signatures.ts";
import { SIGNATURES } from "../signatures/registry.ts";
import { askNext } from "./ask-next.ts";
import { evidenceFromDump } from "./evidence-from-dump.ts";
import { judge, type DumpVerdict, type Judgement } from "./judge.ts";
import type { Suspect } from "./name-suspects.ts";
import { unnamedFinding } from "./unnamed-finding.ts";

/** A composition as a record: bands from top to bottom, those that the kernel does not report left out. */
export interface CompositionRecord {
  readonly totalKib: number;
  readonly bands: readonly { readonly key: string; readonly label: string; readonly kib: number }[];
  readonly notes: readonly string[];
}

/** What a text, or a machine, says about its memory. The same on the page, at the terminal and from the API. */
export interface Explanation {
  readonly verdict: DumpVerdict;
  readonly dominant: string;
  /** Names, the most suspected first. */
  readonly suspects: readonly string[];
  /** The same with amounts and reasons. */
  readonly holders: readonly Suspect[];
  /** KiB unless the name ends in `_count`, `_percent` or `_bytes`. */
  readonly keyNumbers: Readonly<Record<string, number>>;
  readonly composition: CompositionRecord | undefined;
  /** What `free`, kubelet and others call used at the moment of the composition, and what each leaves out. */
  readonly usedMemory: UsedMemory | undefined;
  readonly kernelRelease: string | undefined;
  readonly findings: readonly Finding[];
  /** Signatures that what is known neither shows nor rules out, where a band that they show in grows. */
  readonly possible: readonly Possibility[];
  readonly discriminate: SignatureReading["discriminate"];
  readonly recognised: readonly RecognisedArtefact[];
  readonly unrecognised: readonly { readonly fromLine: number; readonly toLine: number }[];
  readonly askNext: string | undefined;
  readonly warnings: readonly string[];
}

/** Reads a pasted text and says what it means. Never throws; linear in the length of the text. */
export function explainDump(text: string): Explanation {
  const reading = readDump(text);
  return explainEvidence(evidenceFromDump(reading), reading);
}

/** What is shown beside a judgement: of a dump, or of the files of a live machine. */
export interface Shown {
  readonly recognised: readonly RecognisedArtefact[];
  readonly keyNumbers: ReadonlyMap<string, number>;
  readonly composition: Composition | undefined;
  /** The counters that the composition is made of. */
  readonly composedMeminfo: ReadonlyMap<string, number> | undefined;
  readonly kernelRelease: string | undefined;
  readonly unrecognised: readonly { readonly fromLine: number; readonly toLine: number }[];
  readonly warnings: readonly string[];
  /** What in what was read cannot be true together. */
  readonly contradictions?: readonly string[];
}

/** What evidence means, with what was read beside it. */
export function explainEvidence(evidence: Evidence, shown: Shown): Explanation {
  const reading = matchSignatures(evidence);
  const contradicts = (shown.contradictions ?? []).length > 0;
  const judgement = withoutContradictions(
    withSuspectsOfFindings(
      withKnownLeaks(
        judge(
          evidence,
          shown.recognised.map(({ kind }) => kind),
        ),
        reading.findings,
      ),
      reading.findings,
    ),
    contradicts,
  );
  const findings = withUnnamed(reading.findings, judgement, evidence);
  const isEmpty =
    Object.keys(evidence.levels).length === 0 &&
    judgement.suspects.length === 0 &&
    judgement.verdict === "unclear";
  return {
    verdict: judgement.verdict,
    dominant: judgement.dominant,
    suspects: judgement.suspects.map(({ name }) => name),
    holders: judgement.suspects,
    keyNumbers: Object.fromEntries(shown.keyNumbers),
    composition: shown.composition === undefined ? undefined : compositionRecord(shown.composition),
    usedMemory: usedMemoryOf(shown, evidence.versions?.["cgroup-mode"]),
    kernelRelease: shown.kernelRelease,
    findings,
    possible: reading.possible,
    discriminate: reading.discriminate,
    recognised: shown.recognised,
    unrecognised: shown.unrecognised,
    askNext: contradicts ? ONE_READING : askNext(judgement, reading, evidence, isEmpty),
    warnings: shown.warnings,
  };
}

/** The composition is taken as it is shown: with the per-CPU free lists and the place of stacks, where they were read. */
function usedMemoryOf(
  { composition, composedMeminfo }: Shown,
  cgroupMode: string | undefined,
): UsedMemory | undefined {
  if (composition === undefined || composedMeminfo === undefined) return undefined;
  return reconcileUsed({
    composition,
    meminfo: (key) => composedMeminfo.get(key),
    cgroupMode: cgroupMode === "v1" || cgroupMode === "v2" ? cgroupMode : undefined,
  });
}

/** Whether something above *info* was found: what the exit code of `explain` tells. */
export function hasWarning({ findings }: Pick<Explanation, "findings">): boolean {
  return findings.some(({ severity }) => severity !== "info");
}

export function compositionRecord(composition: Composition): CompositionRecord {
  return {
    totalKib: composition.totalKib,
    bands: reportedBands(composition),
    notes: composition.notes.map(describeNote),
  };
}

/** What fits a known leak is not cleared, though the sums alone would: whether it is one is then open. */
function withKnownLeaks(judgement: Judgement, findings: readonly Finding[]): Judgement {
  const suspected = findings.some(({ kind, severity }) => kind === "leak" && severity === "warning");
  return suspected && judgement.verdict === "not-a-leak" ? { ...judgement, verdict: "unclear" } : judgement;
}

/** Where nothing else is suspected, what the best finding is about is: a count of zombies has no amount to be suspected by. */
function withSuspectsOfFindings(judgement: Judgement, findings: readonly Finding[]): Judgement {
  if (judgement.suspects.some(({ weight }) => weight !== "benign")) return judgement;
  const finding = findings.find(({ kind, severity }) => kind === "leak" && severity === "warning");
  const name = SIGNATURES.find(({ id }) => id === finding?.signature)?.suspect;
  if (finding === undefined || name === undefined || judgement.suspects.some((each) => each.name === name))
    return judgement;
  const suspect: Suspect = {
    name,
    kib: finding.explainedKib,
    reason: finding.evidence[0]?.text.replace(/\.$/, "") ?? finding.name,
    weight: "doubt",
  };
  return { ...judgement, dominant: name, suspects: [suspect, ...judgement.suspects] };
}

const ONE_READING = "/proc/meminfo, whole, of one machine at one moment: what was read contradicts itself";

/** Numbers that cannot be true together decide nothing: who knows which of them is wrong. */
function withoutContradictions(judgement: Judgement, contradicts: boolean): Judgement {
  return contradicts ? { ...judgement, verdict: "unclear" } : judgement;
}

function withUnnamed(
  findings: readonly Finding[],
  { verdict, suspects }: Judgement,
  evidence: Evidence,
): readonly Finding[] {
  const isNamed = findings.some(({ kind, severity }) => kind !== "not-a-leak" && severity === "warning");
  if (verdict !== "leak" || isNamed) return findings;
  const proofs = suspects.filter(({ weight }) => weight === "proof");
  const unnamed = unnamedFinding({
    name: `Memory leaks (${proofs[0]?.name ?? "kernel"}); no known signature names the cause`,
    what: "What was read shows a leak, and nothing in it says which of the known ones.",
    explainedKib: proofs[0]?.kib,
    evidence: proofs.map(({ name, reason, kib: held }) => ({
      text: `${name}: ${reason}.`,
      values: held === undefined ? [] : [{ name, value: held, unit: "KiB" as const }],
    })),
    missing: evidence.kernelRelease === undefined ? ["kernel release"] : [],
  });
  return [unnamed, ...findings];
}
