/** One measured figure, with what it was measured on. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  target: string;
  dataset: string;
}

/** Prints figures as a Markdown table. */
export function printFigures(figures: readonly Figure[]): void {
  console.log("| figure | measured | target | dataset |\n| --- | ---: | --- | --- |");
  for (const { what, value, unit, target, dataset } of figures) {
    const digits = Math.abs(value) >= 100 ? 0 : 2;
    console.log(`| ${what} | ${value.toFixed(digits)} ${unit} | ${target} | ${dataset} |`);
  }
}
