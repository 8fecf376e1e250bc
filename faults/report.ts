import type { Stack } from "../scripts/testing/stack.ts";

/** What a story finds out, said as it goes. */
export interface Report {
  /** Says what happens now. */
  step(text: string): void;
  /** One thing that must hold; `detail` carries the numbers. */
  check(what: string, holds: boolean, detail?: string): void;
}

/** One thing that is broken on purpose, and what must hold then. */
export interface Story {
  name: string;
  about: string;
  run(world: World): Promise<void>;
}

/** What a story is given. */
export interface World {
  stack: Stack;
  report: Report;
  /** How long the server stays away in the story of an outage. */
  outageMs: number;
}

/** A report that prints and counts. */
export function createReport(): Report & { passed: number; failed: string[] } {
  const report = {
    passed: 0,
    failed: [] as string[],
    step: (text: string) => console.log(`     ${text}`),
    check(what: string, holds: boolean, detail = "") {
      console.log(`${holds ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail}`}`);
      if (holds) report.passed += 1;
      else report.failed.push(what);
    },
  };
  return report;
}
