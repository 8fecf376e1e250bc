import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interpretAnswer, parseRetryAfter } from "./interpret-answer.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const answer = (status: number, body: unknown = "", retryAfter?: string) => ({
  status,
  retryAfter,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const problem = (code: string, detail: string) => ({
  type: "about:blank",
  title: "t",
  status: 0,
  detail,
  code,
});

describe("interpretAnswer", () => {
  it("takes a receipt apart: done, held back, refused", () => {
    const receipt = {
      accepted: 2,
      duplicates: 1,
      rejected: [
        { index: 1, code: "clock_ahead", detail: "6 min ahead" },
        { index: 3, code: "invalid", detail: "meminfo" },
        { index: 4, code: "some_new_code", detail: "?" },
      ],
    };
    expect(interpretAnswer(answer(200, receipt), 6, NOW)).toEqual({
      kind: "settled",
      accepted: 2,
      duplicates: 1,
      keep: [1],
      refused: [
        { index: 3, code: "invalid", detail: "meminfo" },
        { index: 4, code: "some_new_code", detail: "?" },
      ],
    });
  });

  it.each([
    ["", 1],
    ["<html>welcome</html>", 1],
    ['{"ok":true}', 1],
    ['{"accepted":1,"duplicates":0,"rejected":[]}', 2],
    ['{"accepted":0,"duplicates":0,"rejected":[{"index":5,"code":"invalid"}]}', 1],
  ])("does not take 200 with %j for %i stored snapshots", (body, count) => {
    expect(interpretAnswer(answer(200, body), count, NOW)).toMatchObject({ kind: "retry" });
  });

  it("splits what is too large, and gives up a single one that is", () => {
    expect(interpretAnswer(answer(413), 8, NOW)).toMatchObject({ kind: "split" });
    expect(interpretAnswer(answer(413, problem("too_large", "8 MiB")), 1, NOW)).toMatchObject({
      kind: "settled",
      refused: [{ index: 0, code: "too_large", detail: "8 MiB" }],
    });
  });

  it("reads 422 as a verdict on one snapshot", () => {
    expect(interpretAnswer(answer(422, problem("invalid", "cpus")), 1, NOW)).toMatchObject({
      refused: [{ index: 0, code: "invalid", detail: "cpus" }],
    });
    expect(interpretAnswer(answer(422, problem("clock_ahead", "x")), 1, NOW)).toMatchObject({
      keep: [0],
      refused: [],
    });
    expect(interpretAnswer(answer(422, problem("invalid", "x")), 5, NOW)).toMatchObject({ kind: "split" });
    const receipt = { accepted: 0, duplicates: 0, rejected: [{ index: 0, code: "clock_ahead", detail: "" }] };
    expect(interpretAnswer(answer(422, receipt), 1, NOW)).toMatchObject({ keep: [0] });
  });

  it.each([401, 403])("reads %i as a token that is not taken", (status) => {
    expect(interpretAnswer(answer(status, problem("unauthorised", "revoked")), 1, NOW)).toEqual({
      kind: "unauthorised",
      status,
      reason: "revoked",
    });
  });

  it.each([400, 404, 415, 429, 500, 502, 503, 504])("keeps everything at %i", (status) => {
    expect(interpretAnswer(answer(status, "", "7"), 3, NOW)).toMatchObject({ kind: "retry", afterMs: 7000 });
  });

  it("never loses a snapshot to an odd answer: what is not named is not dropped", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        fc.json(),
        fc.integer({ min: 1, max: 9 }),
        (status, body, count) => {
          const outcome = interpretAnswer(answer(status, body), count, NOW);
          if (outcome.kind === "settled") {
            const named =
              outcome.keep.length + outcome.refused.length + outcome.accepted + outcome.duplicates;
            expect(named).toBe(count);
          }
        },
      ),
    );
  });
});

describe("parseRetryAfter", () => {
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["Wed, 01 Mar 2028 12:00:00 GMT", 3_600_000],
    ["999999", 3_600_000],
    ["-5", undefined],
    ["soon", undefined],
    ["2", 2000],
    [undefined, undefined],
  ])("reads %s as %s", (text, ms) => expect(parseRetryAfter(text, NOW)).toBe(ms));
});
