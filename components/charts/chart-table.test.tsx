import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChartTable } from "./chart-table.tsx";

test("a table without a row says so", () => {
  const drawn = (rows: readonly (readonly (string | number)[])[]) =>
    renderToStaticMarkup(<ChartTable table={{ columns: ["time", "KiB"], rows }} label="composition" />);
  expect(drawn([])).toContain("Nothing in this window.");
  expect(drawn([["04:15", 7]])).not.toContain("Nothing");
});
