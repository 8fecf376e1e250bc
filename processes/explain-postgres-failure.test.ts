import { describe, expect, it } from "vitest";
import { explainPostgresFailure } from "./explain-postgres-failure.ts";

describe("advice on a failed start", () => {
  it.each([
    ["initdb: error: could not create directory: No space left on device", /disk is full/],
    ["spawn /root/x/initdb EACCES", /may not run the binaries/],
    ["spawn /x/bin/postgres ENOENT", /does not run on this system/],
    ["error while loading shared libraries: libstdc++.so.6: cannot open", /system library/],
    ["FATAL:  database files are incompatible with server", /another version/],
    ["FATAL:  could not locate a valid checkpoint record", /damaged/],
    ["mkdir '/data': EACCES: permission denied", /another user/],
  ])("%s", (output, advice) => {
    expect(explainPostgresFailure(output)).toMatch(advice);
  });

  it("is silent about what it does not know", () => {
    expect(explainPostgresFailure("FATAL:  something new")).toBeUndefined();
  });
});
