import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepDraft, readDraft, unsentPart } from "./draft-store.ts";

const kept = new Map<string, string>();

function stubStore(changes: Partial<Storage> = {}): void {
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    ...changes,
  };
  vi.stubGlobal("window", { localStorage });
}

beforeEach(() => {
  kept.clear();
  stubStore();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a draft", () => {
  it("is kept by its name until it is forgotten", () => {
    keepDraft("/1/log", { value: "half a \ud83e\udd86", base: "" });
    keepDraft("/1/text", { value: "new", base: "old" });
    expect(readDraft("/1/log")).toEqual({ value: "half a \ud83e\udd86", base: "" });
    keepDraft("/1/log", undefined);
    expect(readDraft("/1/log")).toBeUndefined();
    expect(readDraft("/1/text")).toEqual({ value: "new", base: "old" });
  });

  it.each(["", "{", "null", "3", '{"value":1,"base":""}', '{"value":"x"}'])(
    "is none where %j is kept",
    (text) => {
      kept.set("plumbline-draft:/1/log", text);
      expect(readDraft("/1/log")).toBeUndefined();
    },
  );

  it("is not kept by a store that is full or forbidden, which stops nobody", () => {
    const refuse = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    stubStore({ getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(() => keepDraft("/1/log", { value: "x", base: "" })).not.toThrow();
    expect(readDraft("/1/log")).toBeUndefined();
  });
});

describe("what was typed on while a text was sent", () => {
  it.each([
    ["all of it", "all of it", ""],
    ["all of it, and more", "all of it", ", and more"],
    ["something else", "all of it", "something else"],
    ["", "all of it", ""],
  ])("%j after %j leaves %j", (typed, sent, left) => {
    expect(unsentPart(typed, sent)).toBe(left);
  });
});
