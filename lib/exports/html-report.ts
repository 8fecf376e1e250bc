import { createHash } from "node:crypto";
import { formatMomentFull } from "#lib/charts/format-time.ts";
import { hypothesesText, logLines, STATE_TEXTS, STATUS_TEXTS } from "#lib/charts/investigation-model.ts";
import { readMarkdown, referenceText } from "#lib/charts/markdown.ts";
import type { MarkdownReference } from "#lib/charts/markdown.ts";
import { headFacts } from "#lib/charts/shared-document.ts";
import type { SharedHead } from "#lib/charts/shared-document.ts";
import { isolatedText } from "#lib/domain/analysis/isolated-text.ts";
import { chartHtml } from "./html-charts.ts";
import { blocksHtml, Html, html, htmlLink, tableHtml, verdictHtml } from "./html-text.ts";
import type { HtmlReferences } from "./html-text.ts";
import { effectAnswer, hypothesisCounts, logDay, reportFigures } from "./report-figures.ts";
import type { Answer, ReportFigure } from "./report-figures.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { absolute } from "./report.ts";
import type { Report } from "./report.ts";

/** To the byte what is hashed below. */
const STYLE = new Html(`<style>${REPORT_STYLE}</style>`);
/** The one stylesheet is allowed by its hash; nothing else is loaded, run or sent, and no address inside is taken for another. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(REPORT_STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

/**
 * A report as one HTML file that needs nothing else: it is read from a disk as from a server, without a script. Whatever came from
 * outside is text in it.
 */
export function htmlReport(report: Report): string {
  const { head } = report.document;
  const { byNumber, others } = reportFigures(report);
  const references = referencesTo(report, byNumber);
  const written = (text: string) => blocksHtml(readMarkdown(text), references);
  const title = isolatedText(head.title);
  const madeAt = formatMomentFull(report.madeAtMs, head.zone);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="Plumbline" />
        <title>${title}</title>
        ${STYLE}
      </head>
      <body>
        <main>
          ${headHtml(report, title, madeAt)}
          ${section("Conclusion", head.conclusion.trim() === "" ? [] : written(head.conclusion))}
          ${section("Hypotheses", hypothesesHtml(head, references, byNumber, report))}
          ${section("Document", head.text.trim() === "" ? [] : written(head.text))}
          ${section("Pinned views", others.map(figureHtml))} ${section("Log", logHtml(head, written))}
        </main>
        <footer>
          <p>Made ${madeAt} ${fromHtml(report)}.</p>
          <p>SHA-256 of the content: <code>${report.contentHash}</code></p>
        </footer>
      </body>
    </html> `.source;
}

function section(title: string, content: readonly Html[]): Html | undefined {
  return content.length === 0
    ? undefined
    : html`<section>
        <h2>${title}</h2>
        ${content}
      </section>`;
}

function fromHtml(report: Report): Html {
  const href = report.page;
  return href === undefined ? html`with Plumbline, names replaced` : html`from ${htmlLink(href, href)}`;
}

function headHtml(report: Report, title: string, madeAt: string): Html {
  const { head } = report.document;
  const facts = headFacts(head);
  return html`<header>
    <p class="note"><b>Plumbline</b>, an investigation as it stood on ${madeAt}, ${fromHtml(report)}.</p>
    <h1>${title}</h1>
    <ul class="facts">
      <li>${verdictHtml(STATUS_TEXTS[head.status])}</li>
      <li>opened <b>${facts.opened}</b> by ${facts.openedBy}</li>
      <li>${head.nodes.length === 0 ? "no node" : `nodes ${head.nodes.map(isolatedText).join(", ")}`}</li>
      <li>window <b>${facts.window}</b></li>
      ${facts.people === "" ? undefined : html`<li>with ${facts.people}</li>`}${head.hypotheses.length === 0 ? undefined : html`<li>hypotheses: ${hypothesesText(hypothesisCounts(head))}</li>`}
    </ul>
  </header>`;
}

function answerHtml({ verdict, text, scope, href }: Answer): Html {
  const said = html`${verdict ? html`${verdictHtml(verdict)} ` : undefined}${text}`;
  const rests = html`${scope}${scope !== "" && href !== undefined ? "; " : ""}${href === undefined ? undefined : htmlLink("view", href)}`;
  return rests.source === "" ? said : html`${said} <span class="scope">(${rests})</span>`;
}

function referencesTo(report: Report, figures: ReadonlyMap<number, ReportFigure>): HtmlReferences {
  const answerOf = (to: Extract<MarkdownReference, { kind: "effect" }>) =>
    effectAnswer(report, report.document.effects[referenceText(to)]);
  return {
    inline: (to) => {
      if (to.kind === "effect") {
        const { short, text, href } = answerOf(to);
        const content = html`<b title="${text}">${short}</b>`;
        return htmlLink(content, href);
      }
      return figures.has(to.number)
        ? html`<a href="#pin-${to.number}">pin ${to.number}</a>`
        : html`pin ${to.number}, not there`;
    },
    block: (to) => {
      if (to.kind === "effect") return html`<p>${answerHtml(answerOf(to))}</p>`;
      const figure = figures.get(to.number);
      return figure ? figureHtml(figure) : html`<p>There is no pin ${to.number} here.</p>`;
    },
    address: (path) => absolute(report, path),
  };
}

function figureHtml({
  number,
  title,
  pinnedBy,
  href,
  answers,
  summary,
  numbers,
  reading,
}: ReportFigure): Html {
  const [first] = answers;
  const more =
    numbers !== undefined && numbers.rows.length > (summary?.rows.length ?? 0) ? numbers : undefined;
  const said = answers.map((answer) => html`<li>${answerHtml(answer)}</li>`);
  return html`<figure id="pin-${number}">
    <figcaption>
      <span class="number">${number}</span><b>${title}</b
      ><span class="note">pinned by ${pinnedBy}</span
      >${href === undefined ? undefined : html`<a class="open" href="${href}" rel="noopener noreferrer nofollow">Open</a>`}
    </figcaption>
    <ul class="answers">
      ${said}
    </ul>
    ${chartHtml(reading, first?.text ?? title)}
    ${summary === undefined || summary.rows.length === 0 ? undefined : tableHtml(summary, `Pin ${number} in numbers`)}
    ${
      more === undefined
        ? undefined
        : html`<details>
            <summary>All ${more.rows.length} rows of pin ${number}</summary>
            ${tableHtml(more, `All numbers of pin ${number}`)}
          </details>`
    }
  </figure>`;
}

function hypothesesHtml(
  { hypotheses }: SharedHead,
  references: HtmlReferences,
  figures: ReadonlyMap<number, ReportFigure>,
  report: Report,
): Html[] {
  const evidenceHtml = (each: SharedHead["hypotheses"][number]["evidence"][number]): Html => {
    if (each.kind === "finding") return html`finding ${isolatedText(each.signature)}`;
    if (each.kind === "effect") {
      const to = { kind: each.kind, annotationId: each.annotationId, nodeId: each.nodeId };
      return answerHtml(effectAnswer(report, report.document.effects[referenceText(to)]));
    }
    const figure = figures.get(each.number);
    const [answer] = figure?.answers ?? [];
    const pin = references.inline(each);
    return figure && answer ? html`${pin}, ${figure.title}: ${answerHtml(answer)}` : pin;
  };
  return hypotheses.map(
    ({ text, state, evidence }, index) =>
      html`<div class="hypothesis">
        <p><b>${index + 1}</b> ${verdictHtml(STATE_TEXTS[state])}</p>
        ${blocksHtml(readMarkdown(text), references)}${
          evidence.length === 0
            ? undefined
            : html`<ul class="evidence" aria-label="Evidence of hypothesis ${index + 1}">
                ${evidence.map((each) => html`<li>${evidenceHtml(each)}</li>`)}
              </ul>`
        }
      </div>`,
  );
}

function logHtml(head: SharedHead, written: (text: string) => Html[]): Html[] {
  const lines = logLines(head.entries, "all", { zone: head.zone });
  if (lines.length === 0) return [];
  const items = lines.map(({ entry, time, day, text, author, by, isGrave }) => {
    const tone = isGrave ? "grave" : by;
    const said =
      entry.kind === "note"
        ? html`<div><span class="note">${author}:</span> ${written(entry.text)}</div>`
        : html`<div class="${tone}">${text}</div>`;
    return html`<li>
      ${day === undefined ? undefined : html`<p class="day">${logDay(entry.at, head.zone)}</p>`}
      <div class="line"><time>${time}</time>${said}</div>
    </li>`;
  });
  return [
    html`<ol class="log">
      ${items}
    </ol>`,
  ];
}
