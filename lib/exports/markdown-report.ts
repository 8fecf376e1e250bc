import { formatMomentFull } from "#lib/charts/format-time.ts";
import { hypothesesText, logLines, STATE_TEXTS, STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import { readMarkdown, referenceText } from "#lib/charts/markdown.ts";
import type { MarkdownReference } from "#lib/charts/markdown.ts";
import { headFacts } from "#lib/charts/shared-document.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { blocksText, escapeMarkdown, markdownLink, plainTableText } from "./markdown-text.ts";
import type { ReferenceWriter } from "./markdown-text.ts";
import { effectAnswer, hypothesisCounts, logDay, reportFigures } from "./report-figures.ts";
import type { Answer, ReportFigure } from "./report-figures.ts";
import { absolute } from "./report.ts";
import type { Report } from "./report.ts";

/**
 * A report in Markdown (CommonMark with tables). Each sentence stands with its numbers, its window and the address of its view.
 * What people wrote as Markdown keeps its structure; every other text stays text in whatever draws it.
 */
export function markdownReport(report: Report): string {
  const { head, effects } = report.document;
  const { zone } = head;
  const { byNumber: figures, others } = reportFigures(report);
  const answerOf = (to: Extract<MarkdownReference, { kind: "effect" }>) =>
    effectAnswer(report, effects[referenceText(to)]);
  const writer: ReferenceWriter = {
    inline: (to) => {
      if (to.kind === "effect") {
        const { href, short } = answerOf(to);
        return markdownLink(escapeMarkdown(short), href);
      }
      const figure = figures.get(to.number);
      return figure ? markdownLink(`pin ${to.number}`, figure.href) : `pin ${to.number}, not there`;
    },
    block: (to) => {
      if (to.kind === "effect") return answerText(answerOf(to));
      const figure = figures.get(to.number);
      return figure ? figureText(figure) : `There is no pin ${to.number} here.`;
    },
    address: (path) => absolute(report, path),
  };
  const written = (text: string) => blocksText(readMarkdown(text), writer);
  const evidenceText = (evidence: Report["document"]["head"]["hypotheses"][number]["evidence"][number]) => {
    if (evidence.kind === "finding") return `finding ${escapeMarkdown(isolatedText(evidence.signature))}`;
    if (evidence.kind === "effect") return answerText(answerOf({ ...evidence, nodeId: evidence.nodeId }));
    const figure = figures.get(evidence.number);
    const [answer] = figure?.answers ?? [];
    if (!figure || !answer) return `pin ${evidence.number}, taken away`;
    return `pin ${figure.number}, ${escapeMarkdown(figure.title)}: ${answerText(answer)}`;
  };
  const facts = headFacts(head);
  const madeAt = formatMomentFull(report.madeAtMs, zone);
  const sections: (string | undefined)[] = [
    `# ${escapeMarkdown(isolatedText(head.title))}`,
    [
      `- Status: **${STATUS_TEXTS[head.status].word}**`,
      `- Opened: ${escapeMarkdown(facts.opened)} by ${escapeMarkdown(facts.openedBy)}`,
      `- Nodes: ${escapeMarkdown(nodesOf(report))}`,
      `- Window: ${escapeMarkdown(facts.window)}`,
      ...(facts.people === "" ? [] : [`- With: ${escapeMarkdown(facts.people)}`]),
      ...(head.hypotheses.length === 0 ? [] : [`- Hypotheses: ${hypothesesText(hypothesisCounts(head))}`]),
      `- Read: ${escapeMarkdown(madeAt)} ${from(report)}`,
    ].join("\n"),
    section("Conclusion", head.conclusion.trim() === "" ? "" : written(head.conclusion)),
    section(
      "Hypotheses",
      head.hypotheses
        .map(({ text, state, evidence }, index) =>
          [
            `### ${index + 1}. ${STATE_TEXTS[state].word}`,
            written(text),
            evidence.length === 0
              ? ""
              : `Evidence:\n\n${evidence.map((each) => `- ${evidenceText(each)}`).join("\n")}`,
          ]
            .filter(Boolean)
            .join("\n\n"),
        )
        .join("\n\n"),
    ),
    section("Document", head.text.trim() === "" ? "" : written(head.text)),
    section("Pinned views", others.map(figureText).join("\n\n")),
    section("Log", logText(report, written)),
    `---\n\nMade ${escapeMarkdown(madeAt)} ${from(report)}\\\nSHA-256 of the content: \`${report.contentHash}\``,
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

const section = (title: string, text: string) => (text === "" ? undefined : `## ${title}\n\n${text}`);

/** All of them by name: nothing here leads to where the others stand. */
function nodesOf({ document: { head } }: Report): string {
  return head.nodes.length === 0 ? "none" : head.nodes.map(isolatedText).join(", ");
}

function from(report: Report): string {
  const href = report.page;
  return href === undefined
    ? "with Plumbline, names replaced"
    : `from ${markdownLink(escapeMarkdown(href), href)}`;
}

function answerText({ verdict, text, scope, href }: Answer): string {
  const said = `${verdict ? `**${escapeMarkdown(verdict.word)}** \u2013 ` : ""}${escapeMarkdown(text)}`;
  const rests = [
    scope === "" ? "" : escapeMarkdown(scope),
    href === undefined ? "" : markdownLink("view", href),
  ];
  const stated = rests.filter(Boolean).join("; ");
  return stated === "" ? said : `${said} (${stated})`;
}

function figureText({ number, title, pinnedBy, href, answers, summary }: ReportFigure): string {
  const parts = [
    `**Pin ${number}: ${escapeMarkdown(title)}** ${escapeMarkdown(`\u2013 pinned by ${pinnedBy}`)}${href === undefined ? "" : `; ${markdownLink("open", href)}`}`,
    answers.map((answer) => `- ${answerText(answer)}`).join("\n"),
    summary === undefined || summary.rows.length === 0 ? "" : plainTableText(summary),
  ];
  return parts.filter(Boolean).join("\n\n");
}

function logText({ document: { head } }: Report, written: (text: string) => string): string {
  return logLines(head.entries, "all", { zone: head.zone })
    .map(({ entry, time, day, text, author }) => {
      const begins = day === undefined ? "" : `\n**${escapeMarkdown(logDay(entry.at, head.zone))}**\n\n`;
      if (entry.kind !== "note") return `${begins}- ${escapeMarkdown(`${time} ${text}`)}`;
      const note = written(entry.text);
      const [only, second] = readMarkdown(entry.text);
      const inLine = only?.kind === "paragraph" && second === undefined;
      const indented = note.replace(/\n(?!\n)/g, "\n  ");
      return `${begins}- ${escapeMarkdown(`${time} ${author}:`)}${inLine ? " " : "\n\n  "}${indented}`;
    })
    .join("\n")
    .trim();
}
