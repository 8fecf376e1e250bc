import { describe, expect, it } from "vitest";
import { sampleInvestigation } from "../../scripts/testing/sample-investigation.ts";
import { canonicalJson } from "./canonical-json.ts";
import { EXPORT_FORMAT, investigationFile } from "./investigation-content.ts";

const { head, ...rest } = sampleInvestigation();
const { readAtMs, ...content } = head;

/** The file of an investigation with a pin of every kind, as JSON gives it, with a change at a path. */
function fileWith(path: readonly (string | number)[] = [], value?: unknown): unknown {
  const file: Record<string | number, unknown> = JSON.parse(
    canonicalJson({
      format: EXPORT_FORMAT,
      origin: "https://plumbline.example",
      readAt: readAtMs,
      madeAt: readAtMs,
      contentHash: "ab".repeat(32),
      content: { ...rest, head: { ...content, title: "Who eats the memory?" } },
    }),
  ) as Record<string, unknown>;
  let at = file;
  for (const step of path.slice(0, -1)) at = at[step] as typeof at;
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
  return file;
}

const issueOf = (file: unknown) => investigationFile.safeParse(file).error?.issues[0];

it("takes a pin of every kind, and changes nothing of it", () => {
  const file = fileWith();
  expect(canonicalJson(investigationFile.parse(file))).toBe(canonicalJson(file));
});

describe("what is no file of an export", () => {
  it.each([
    [["format"], "grafana-dashboard"],
    [["origin"], "javascript:alert(1)"],
    [["origin"], "https://x.example/path"],
    [["contentHash"], "abc"],
    [["content", "version"], 2],
    [["content", "extra"], true],
    [["content", "head", "title"], ""],
    [["content", "head", "status"], "done"],
    [["content", "head", "zone"], "browser"],
    [["content", "head", "openedAt"], 8.64e15],
    [["content", "head", "text"], "a\u0000b"],
    [["content", "head", "pins", 0, "address"], "//evil.example"],
    [["content", "head", "pins", 0, "address"], "javascript:alert(1)"],
    [["content", "head", "pins", 1, "number"], 1],
    [["content", "readings", "1", "composition", "timesMs"], "now"],
    [["content", "readings", "1", "node", "zone"], "Mars/Olympus"],
    [["content", "readings", "1", "node", "window", "toMs"], 0],
    [["content", "readings", "1", "kind"], "script"],
    [["content", "readings", "7", "model", "attributes", 0, "verdict", "tone"], 'red"><script>'],
    [["content", "effects", "[[effect:1]]", "href"], "https://evil.example/"],
  ])("is refused at %j", (path, value) => {
    const issue = issueOf(fileWith(path, value));
    // A fault of two pins is one of their list, and an unknown field one of what it stands in.
    expect(path.join(".").startsWith(issue?.path.join(".") ?? "none")).toBe(true);
    expect(issue?.path.length).toBeGreaterThanOrEqual(path.length - 2);
    expect(issue?.message).not.toBe("");
  });

  it("is refused where a pin comes without what it shows", () => {
    expect(issueOf(fileWith(["content", "readings"], {}))).toMatchObject({
      path: ["content", "readings", 1],
    });
  });
});
