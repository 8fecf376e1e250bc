import { expect, it } from "vitest";
import { messagesOfMarks } from "./messages-of-marks.ts";

const MARK = { madeBy: "machine", text: null, atMs: 1000, endsAtMs: null };

it("counts the lines that marks stand for, and tells when the last was", () => {
  expect(
    messagesOfMarks([
      { ...MARK, title: "TCP: out of memory -- consider tuning tcp_mem, 6 times", endsAtMs: 5000 },
      { ...MARK, title: "again", text: "TCP: out of memory -- consider tuning tcp_mem", atMs: 3000 },
      { ...MARK, title: "nf_conntrack: table full, dropping packet" },
      { ...MARK, title: "nf_conntrack: table full, dropping packet", madeBy: "person" },
      { ...MARK, title: "rebooted" },
    ]),
  ).toEqual({
    messages: { "TCP out of memory": 7, "conntrack table full": 1 },
    lastLoggedMs: { "TCP out of memory": 5000, "conntrack table full": 1000 },
  });
});
