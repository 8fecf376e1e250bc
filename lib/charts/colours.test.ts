import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BANDS } from "#lib/domain/memory/bands.ts";

/**
 * The band colours stay apart for every reader: CIEDE2000 between bands, as seen normally and with protanopia,
 * deuteranopia and tritanopia (matrices of Machado, Oliveira and Fernandes 2009, severity 1), and the contrasts of
 * WCAG 2 for bands, words and shapes. The values are read from the theme itself.
 */
type Triple = readonly [number, number, number];

const css = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");

function tokens(theme: 0 | 1): Map<string, Triple> {
  const found = new Map<string, Triple>();
  const pair = /--([\w-]+):\s*light-dark\(\s*oklch\(([^)]+)\),\s*oklch\(([^)]+)\)\s*\)/g;
  for (const match of css.matchAll(pair)) {
    const [lightness, chroma, hue] = (match[theme + 2] ?? "").trim().split(/\s+/).map(Number);
    if (match[1] && lightness !== undefined && chroma !== undefined && hue !== undefined)
      found.set(match[1], [lightness, chroma, hue]);
  }
  return found;
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** OKLCH to linear sRGB (Ottosson 2020). */
function linear([lightness, chroma, hue]: Triple): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clamp(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    clamp(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    clamp(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ];
}

const luminance = ([red, green, blue]: Triple) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

function contrast(a: Triple, b: Triple): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const VISIONS: Readonly<Record<string, readonly Triple[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function seen(colour: Triple, vision: readonly Triple[]): Triple {
  const [red, green, blue] = vision.map((row) => clamp(dot(row, colour)));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function lab(colour: Triple): Triple {
  const curve = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = curve(dot([0.4124564, 0.3575761, 0.1804375], colour) / 0.95047);
  const y = curve(luminance(colour));
  const z = curve(dot([0.0193339, 0.119192, 0.9503041], colour) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 (Sharma, Wu, Dalal 2005), unit weights. */
function deltaE([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const rad = Math.PI / 180;
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [x1, x2] = [(1 + stretch) * a1, (1 + stretch) * a2];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hueOf = (x: number, y: number) => (Math.atan2(y, x) / rad + 360) % 360;
  const [h1, h2] = [hueOf(x1, b1), hueOf(x2, b2)];
  let dh = c1 * c2 === 0 ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  else if (dh < -180) dh += 360;
  let hue = h1 + h2;
  if (c1 * c2 !== 0) {
    if (Math.abs(h1 - h2) > 180) hue += hue < 360 ? 360 : -360;
    hue /= 2;
  }
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad);
  const light = (l1 + l2) / 2;
  const chroma = (c1 + c2) / 2;
  const t =
    1 -
    0.17 * Math.cos((hue - 30) * rad) +
    0.24 * Math.cos(2 * hue * rad) +
    0.32 * Math.cos((3 * hue + 6) * rad) -
    0.2 * Math.cos((4 * hue - 63) * rad);
  const rotation =
    -Math.sin(60 * Math.exp(-(((hue - 275) / 25) ** 2)) * rad) *
    2 *
    Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const dl = (l2 - l1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2));
  const dc = (c2 - c1) / (1 + 0.045 * chroma);
  const dhue = dH / (1 + 0.015 * chroma * t);
  return Math.sqrt(dl * dl + dc * dc + dhue * dhue + rotation * dc * dhue);
}

test("the distance agrees with published pairs of CIEDE2000", () => {
  // Sharma, Wu, Dalal 2005, table 1, pairs 1, 7 and 17.
  expect(deltaE([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(deltaE([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
  expect(deltaE([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
});

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("%s theme", (_name, theme) => {
  const values = tokens(theme);
  const rgb = (name: string): Triple => {
    const value = values.get(name);
    if (!value) throw new Error(`no token --${name}`);
    return linear(value);
  };
  const bands = BANDS.filter((band) => band.key !== "free").map((band) => rgb(`band-${band.key}`));

  test.each(Object.entries(VISIONS))("bands stay apart: %s", (_vision, matrix) => {
    const colours = bands.map((band) => lab(seen(band, matrix)));
    colours.forEach((a, i) => {
      colours.forEach((b, j) => {
        if (j > i) expect(deltaE(a, b)).toBeGreaterThanOrEqual(j === i + 1 ? 14.5 : 9);
      });
    });
  });

  test("every band stands out against the separator and against free memory", () => {
    for (const band of bands) {
      expect(contrast(band, rgb("surface"))).toBeGreaterThanOrEqual(3);
      expect(contrast(band, rgb("band-free"))).toBeGreaterThanOrEqual(3);
    }
  });

  test("words reach 4.5:1 and shapes 3:1", () => {
    const words = [...values.keys()].filter((name) => name.startsWith("ink") || name.endsWith("-ink"));
    expect(words.length).toBeGreaterThanOrEqual(10);
    for (const word of words)
      for (const ground of ["surface", "surface-2", "select"])
        expect(contrast(rgb(word), rgb(ground)), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    const shapes = ["leaking", "growing", "flat", "shrinking", "unknown", "ok", "accent", "focus", "line-3"];
    for (const shape of shapes) expect(contrast(rgb(shape), rgb("surface")), shape).toBeGreaterThanOrEqual(3);
  });
});
