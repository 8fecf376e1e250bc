import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REPORT_STYLE } from "./report-style.ts";

it("has the colours of the pages", () => {
  const [, light = "", dark = ""] = /:root\{(.*?)\}.*?:root\{(.*?)\}/s.exec(REPORT_STYLE) ?? [];
  const valuesIn = (text: string) =>
    new Map([...text.matchAll(/--([\w-]+):([^;]+)/g)].map(([, name, value]) => [name, value]));
  const [lights, darks] = [valuesIn(light), valuesIn(dark)];
  expect(lights.size).toBeGreaterThan(30);
  const tokens = readFileSync("app/globals.css", "utf8");
  for (const [name, value] of lights) {
    expect(tokens).toContain(`--${name}: light-dark(${value}, ${darks.get(name)});`);
  }
  const used = new Set([...REPORT_STYLE.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
  for (const name of used) expect(lights.has(name)).toBe(true);
});
