import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CounterTable } from "./counter-table.tsx";

test("a filter that leaves no counter says so", () => {
  const snapshot = {
    meminfo: { SUnreclaim: 1_234_567, HugePages_Free: 2 },
    vmstat: { pgfault: 7 },
    other: {},
  };
  const drawn = (filter: string) =>
    renderToStaticMarkup(<CounterTable snapshot={snapshot} filter={filter} />);
  expect(drawn("unreclaim")).toContain("1,234,567 kB");
  expect(drawn("hugepages")).toMatch(/>2</);
  expect(drawn("zzz")).toContain("No counter is called so");
});
