import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../scripts/testing/test-database.ts";
import { numberArray, parseNumberArray, textArray, timeArray } from "./array-literal.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("array literals", () => {
  it("carry numbers to PostgreSQL and back", async () => {
    const values = [0, -1, null, Number.MAX_SAFE_INTEGER, undefined];
    const { rows } = await database.db.pool.query<{ text: string }>("select $1::bigint[]::text as text", [
      numberArray(values),
    ]);
    expect(parseNumberArray(rows[0]?.text ?? "")).toEqual(values.map((value) => value ?? null));
    expect(parseNumberArray("{}")).toEqual([]);
    expect(parseNumberArray("{t,f,NULL,1.5}")).toEqual([1, 0, null, 1.5]);
    expect(() => parseNumberArray("{9007199254740993}")).toThrow(RangeError);
  });

  it("carry any text that a snapshot may hold", async () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\u0000"));
    const texts = fc.array(fc.option(text, { nil: undefined }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(texts, async (sent) => {
        const { rows } = await database.db.pool.query<{ texts: string[] }>("select $1::text[] as texts", [
          textArray(sent),
        ]);
        expect(rows[0]?.texts).toEqual(sent.map((each) => each ?? null));
      }),
    );
  });

  it("carry moments to the millisecond", async () => {
    const moments = [0, 1_767_323_045_678, 4_102_444_800_001];
    const { rows } = await database.db.pool.query<{ ms: number }>(
      "select (date_part('epoch', at) * 1000)::float8 as ms from unnest($1::timestamptz[]) at",
      [timeArray(moments)],
    );
    expect(rows.map(({ ms }) => Math.round(ms))).toEqual(moments);
  });
});
