import { describe, expect, it } from "vitest";
import { createEventGatherer } from "./gather-events.ts";
import type { LogEvent } from "./log-reader.ts";

const START = 1_000_000;
const SECOND = 1000;

function event(atMs: number, changes: Partial<LogEvent> = {}): LogEvent {
  return {
    id: `kmsg:b:${atMs}`,
    atMs,
    patternId: "conntrack-full",
    kind: "limit-reached",
    severity: "warning",
    by: "kernel",
    title: "The conntrack table is full",
    text: "line",
    subject: "",
    ...changes,
  };
}

describe("createEventGatherer", () => {
  it("tells a first one at once, and what came within the minute as one with a count", () => {
    const gatherer = createEventGatherer();
    gatherer.add(event(START), "kmsg");
    expect(gatherer.take(START + SECOND, 50)).toMatchObject([{ key: `kmsg:b:${START}`, count: 1 }]);
    for (let second = 2; second < 42; second += 1) gatherer.add(event(START + second * SECOND), "kmsg");
    expect(gatherer.take(START + 45 * SECOND, 50)).toEqual([]);
    expect(gatherer.take(START + 61 * SECOND, 50)).toMatchObject([
      { key: `kmsg:b:${START}`, count: 41, untilMs: START + 41 * SECOND },
    ]);
    expect(gatherer.take(START + 62 * SECOND, 50)).toEqual([]);
  });

  it("tells what goes on for hours a few times only", () => {
    const gatherer = createEventGatherer();
    const keys = new Set<string>();
    let told = 0;
    let counted = 0;
    const counts = new Map<string, number>();
    for (let second = 0; second < 6 * 3600; second += 1) {
      gatherer.add(event(START + second * SECOND), "kmsg");
      if (second % 15 !== 0) continue;
      for (const each of gatherer.take(START + second * SECOND, 50)) {
        told += 1;
        keys.add(each.key);
        counts.set(each.key, each.count);
      }
    }
    for (const each of gatherer.take(START + 6 * 3600 * SECOND, 50, true)) counts.set(each.key, each.count);
    for (const count of counts.values()) counted += count;
    expect(counted).toBe(6 * 3600);
    expect(keys.size).toBeLessThan(10);
    expect(told).toBeLessThan(20);
  });

  it("begins anew after a pause, and keeps subjects apart", () => {
    const gatherer = createEventGatherer();
    gatherer.add(event(START), "kmsg");
    gatherer.add(event(START, { subject: "4026532513", id: "kmsg:b:other" }), "kmsg");
    expect(gatherer.take(START, 50)).toHaveLength(2);
    gatherer.take(START + 600 * SECOND, 50);
    gatherer.add(event(START + 601 * SECOND), "kmsg");
    expect(gatherer.take(START + 602 * SECOND, 50)).toMatchObject([{ count: 1 }]);
  });

  it("tells what a log says late by itself, not as one more of what happens now", () => {
    const gatherer = createEventGatherer();
    gatherer.add(event(START + 3600 * SECOND), "kmsg");
    gatherer.add(event(START), "log:/var/log/messages");
    expect(gatherer.take(START + 3600 * SECOND, 50)).toMatchObject([
      { event: { atMs: START }, count: 1 },
      { event: { atMs: START + 3600 * SECOND }, count: 1 },
    ]);
    expect(gatherer.take(START + 4000 * SECOND, 50)).toEqual([]);
  });

  it("counts what two logs tell once", () => {
    const gatherer = createEventGatherer();
    for (let index = 0; index < 3; index += 1) {
      gatherer.add(event(START + index * SECOND), "kmsg");
      gatherer.add(event(START + index * SECOND + 5), "log:/var/log/messages");
    }
    expect(gatherer.take(START + 5 * SECOND, 50)).toMatchObject([{ count: 3 }]);
  });

  it("holds back what does not fit, and counts what it cannot hold", () => {
    const gatherer = createEventGatherer();
    for (let index = 0; index < 700; index += 1) {
      gatherer.add(event(START + index, { subject: `pod${index}`, id: `kmsg:b:${index}` }), "kmsg");
    }
    expect(gatherer.lost()).toBe(200);
    expect(gatherer.take(START + SECOND, 200)).toHaveLength(200);
    expect(gatherer.take(START + SECOND, 200)).toHaveLength(200);
    expect(gatherer.take(START + SECOND, 200)).toHaveLength(100);
    expect(gatherer.take(START + SECOND, 200)).toEqual([]);
  });
});
