import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storableJson } from "./storable-json.ts";

describe("storableJson", () => {
  it("leaves what can be stored as it is", () => {
    const value = { a: ["\\u0000", "é\n", { "😀": 1 }], b: null };
    expect(storableJson(value)).toBe(JSON.stringify(value));
  });

  it("replaces NUL and broken surrogates in keys and values alike", () => {
    expect(storableJson({ "a\u0000": ["\ud800x", { b: "\udfff" }] })).toBe(
      '{"a\ufffd":["\ufffdx",{"b":"\ufffd"}]}',
    );
  });

  it("always gives JSON that holds neither", () => {
    const unit = fc.constantFrom("\u0000", "\ud800", "\udc00", "\\", "u", '"', "a");
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: unit }), (value) => {
        const back = storableJson(value);
        expect(() => JSON.parse(back) as unknown).not.toThrow();
        expect(JSON.stringify(JSON.parse(back)).replaceAll("\\\\", "")).not.toMatch(/\\u(0000|d[89a-f])/);
      }),
    );
  });
});
