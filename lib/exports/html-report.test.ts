import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HOSTILE, sampleReport } from "../../scripts/testing/sample-investigation.ts";
import { htmlReport } from "./html-report.ts";

const report = sampleReport();
const file = htmlReport(report);
/** Every tag of the file, without what stands between them. */
const tags = file.replace(/<style>.*?<\/style>/s, "").match(/<[^>]*>/g) ?? [];
const figure = (number: number) =>
  new RegExp(`<figure id="pin-${number}">.*?</figure>`, "s").exec(file)?.[0] ?? "";
const pathsOf = (text: string, name: string) =>
  text.match(new RegExp(`<path class="${name}[^>]*>`, "g")) ?? [];

describe("what came from outside", () => {
  it("is text, wherever it stands", () => {
    const names = new Set(tags.map((tag) => /^<\/?([a-z0-9!]+)/i.exec(tag)?.[1]));
    for (const name of ["script", "img", "i", "iframe", "object", "form", "base", undefined]) {
      expect(names).not.toContain(name);
    }
    // A quoted attribute value may hold any letters: what is left without them holds no handler.
    const bare = tags.map((tag) => tag.replace(/"[^"]*"/g, '""'));
    expect(bare.filter((tag) => /\son[a-z]+\s*=|\sstyle=|'/i.test(tag))).toEqual([]);
    expect(file).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;");
    expect(file).toContain("&quot;quoted&#39; &amp;lt;");
  });

  it("neither turns what stands around it nor holds controls", () => {
    expect(HOSTILE).toMatch(/\u202e.*\u0007/s);
    expect(file).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066\u2067]/);
  });

  it("leads nowhere that runs, and loads nothing", () => {
    const addresses = [...file.matchAll(/\s(?:href|src|xlink:href|action)="([^"]*)"/g)].map(
      ([, to]) => to ?? "",
    );
    expect(addresses.length).toBeGreaterThan(20);
    for (const to of addresses) expect(to).toMatch(/^(?:https:\/\/|#pin-\d+$)/);
    expect(file).not.toMatch(/@import|url\(/);
  });
});

it("allows its one stylesheet by the hash of what stands there, and nothing else", () => {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(file) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  expect(file).toContain(`content="${policy.replaceAll("'", "&#39;")}"`);
  expect(file.indexOf("Content-Security-Policy")).toBeLessThan(file.indexOf("<style>"));
});

describe("charts", () => {
  it("break at gaps and reboots, and write units at their axes", () => {
    const [stack, lane] = figure(1).split("unreclaimable kernel memory, GiB");
    // Three stretches: before the gap, after it, and after the reboot.
    expect(pathsOf(lane ?? "", "ink").length).toBeGreaterThanOrEqual(3);
    expect(pathsOf(stack ?? "", "halo")).toHaveLength(3);
    expect(figure(1)).toContain("GiB; change since Wed 2 Dec 2026 14:20 UTC");
    expect(figure(1)).toContain(">reboot</text");
    expect(figure(1)).toContain("<title>no samples</title>");
    expect(figure(5)).toContain("growth, MiB/h; line with its 95 % band");
    expect(figure(5)).toContain("containers/h");
    expect(figure(5).match(/class="dot"/g)).toHaveLength(24);
    expect(figure(6)).toContain("unreclaimable kernel memory, GiB");
    expect(figure(7).match(/class="node (?:leaking|healthy)"/g)).toHaveLength(6);
  });

  it("have no coordinate that is none", () => {
    expect(file).not.toMatch(/NaN|Infinity|undefined/);
  });

  it("have their numbers as tables, whole ones to be opened", () => {
    const [, whole = ""] = figure(1).split("<details>");
    expect(whole.match(/<tr>/g)).toHaveLength(1 + 268);
    expect(whole).toContain("unaccounted (KiB)");
    expect(figure(8)).toContain("All 20 rows of pin 8");
  });
});

it("says of each sentence over which window it holds and where its view is", () => {
  expect(figure(1)).toMatch(
    /grows 312 MiB\/h \(95 %: 298\u2013327\)\..*?magnesia&lt;b&gt;; Wed 2 Dec 2026 14:20 \u2013 Thu 3 Dec 2026 14:20 UTC.*?href="https:\/\/plumbline\.example\/nodes\/7\?from=/s,
  );
  expect(figure(10)).toContain("could not be read: There is no node 9.");
});

it("places pins where the document has them, and shows each once", () => {
  for (let number = 1; number <= 10; number += 1) {
    expect(file.split(`<figure id="pin-${number}">`)).toHaveLength(2);
  }
  expect(file.indexOf('<figure id="pin-1">')).toBeLessThan(file.indexOf(">Pinned views<"));
  expect(file.indexOf('<figure id="pin-3">')).toBeGreaterThan(file.indexOf(">Pinned views<"));
  expect(file).toContain("There is no pin 99 here.");
});

it("leads nowhere in the product where names are replaced", () => {
  const nameless = htmlReport({ ...report, origin: undefined, page: undefined });
  expect(nameless).not.toContain("plumbline.example");
  expect(nameless).not.toMatch(/href="\//);
});

it("closes with the hash of the content and the moment", () => {
  const [, foot = ""] = file.split("<footer>");
  expect(foot).toContain("Thu 3 Dec 2026 14:20:00 UTC");
  expect(foot).toContain("ab".repeat(32));
});
