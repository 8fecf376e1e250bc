import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startImport } from "#lib/contracts/history-import.ts";
import { importFault, readImportDraft, splitMatchers, type ImportDraft } from "./import-form.ts";

const nowMs = Date.parse("2026-12-03T14:20:00Z");
const DAY = 86_400_000;
const draft: ImportDraft = {
  url: " http://prometheus:9090 ",
  from: "now-30d",
  to: "now",
  cluster: "prod",
  nodeLabel: "",
  match: "",
  stepSeconds: "",
  bearer: "",
};
const read = (change: Partial<ImportDraft> = {}) => readImportDraft({ ...draft, ...change }, nowMs);

describe("matchers", () => {
  test.each([
    ["", []],
    ['{job="node"}', ['job="node"']],
    ['job="node", region=~"eu|us"\nzone!="a,b",', ['job="node"', 'region=~"eu|us"', 'zone!="a,b"']],
    [`a='x, y', b="\\"}"`, [`a='x, y'`, `b="\\"}"`]],
    ['job="node, region="eu"', ['job="node, region="eu"']],
  ])("%j", (text, matchers) => {
    expect(splitMatchers(text)).toEqual(matchers);
  });

  test("any that are joined come apart as they were", () => {
    const value = fc.string({ maxLength: 8 }).filter((text) => !text.includes("\n"));
    const matcher = fc
      .tuple(fc.constantFrom("a", "b_c"), fc.constantFrom("=", "!~"), value)
      .map(([label, operator, text]) => `${label}${operator}${JSON.stringify(text)}`);
    fc.assert(
      fc.property(
        fc.array(matcher),
        fc.constantFrom(",", ", ", "\n"),
        fc.boolean(),
        (all, between, braces) => {
          const joined = all.join(between);
          expect(splitMatchers(braces ? `{${joined}}` : joined)).toEqual(all);
        },
      ),
    );
  });
});

describe("a draft", () => {
  test("is what the contract takes, without what was left empty", () => {
    const { body, faults } = read({ match: 'job="node"', stepSeconds: "5m", bearer: " secret " });
    expect(faults).toEqual({});
    expect(body).toEqual({
      url: "http://prometheus:9090",
      from: nowMs - 30 * DAY,
      to: nowMs,
      cluster: "prod",
      match: ['job="node"'],
      stepSeconds: 300,
      bearer: "secret",
    });
    expect(startImport.safeParse(body).success).toBe(true);
    expect(read().body).not.toHaveProperty("bearer");
    expect(read({ stepSeconds: "60" }).body).toMatchObject({ stepSeconds: 60 });
  });

  test("says what cannot be read, and an end before the beginning", () => {
    expect(read({ from: "soonish" }).from.kind).toBe("unreadable");
    expect(read({ stepSeconds: "often" }).faults).toHaveProperty("stepSeconds");
    expect(read({ to: "now-31d" }).faults).toHaveProperty("to");
    const ahead = read({ to: "now+1d" }).to;
    expect(ahead.kind === "read" && ahead.notes).toEqual(["This lies ahead: the import ends now."]);
  });

  test("gets what the server refuses beside the field it was typed into", () => {
    const sent = { match: 'job="node", region' };
    const issues = startImport.safeParse({ ...read(sent).body, url: "ftp://a" }).error?.issues ?? [];
    const faults = new Map(issues.map(({ path, message }) => [path.join("."), message]));
    expect(importFault("match", faults, sent)).toMatch(/^\u201cregion\u201d: expected one matcher/);
    expect(importFault("url", faults, sent)).toContain("http or https");
    expect(importFault("bearer", faults, sent)).toBeUndefined();
  });
});
