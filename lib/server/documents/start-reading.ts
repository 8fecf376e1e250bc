import { placedPins } from "#lib/charts/markdown.ts";
import type { EffectReading, PinReading } from "#lib/charts/pin-reading.ts";
import type { ShareReader } from "./share-reader.ts";

/** Everything that a reader can read, each part on its way. */
export interface StartedReading {
  /** By the number of the pin. */
  readonly readings: Record<number, Promise<PinReading>>;
  /** By how a text refers to them. */
  readonly effects: Record<string, Promise<EffectReading>>;
}

/**
 * Begins to read everything that a reader can read, a few parts at once, in the order in which a page shows them: what is seen first
 * is there first, where all at once would end together.
 */
export function startReading(reader: ShareReader, atOnce: number): StartedReading {
  const { head, references } = reader;
  const placed = placedPins(`${head.conclusion}\n\n${head.text}`);
  const pinned = head.pins.map(({ number }) => number);
  const inOrder = [
    ...[...placed].filter((number) => pinned.includes(number)),
    ...pinned.filter((number) => !placed.has(number)),
  ];
  const started: StartedReading = { readings: {}, effects: {} };
  const inTurn = turns(atOnce);
  const read = (number: number) => {
    started.readings[number] = inTurn(() => reader.readPin(number));
  };
  for (const number of inOrder.slice(0, 1)) read(number);
  for (const reference of references) started.effects[reference] = inTurn(() => reader.readEffect(reference));
  for (const number of inOrder.slice(1)) read(number);
  return started;
}

/** Takes works and begins them in their order, at most so many at once. */
function turns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = () => {
    while (running < atOnce) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next();
    }
  };
  return <Value>(work: () => Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        void work()
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            begin();
          });
      });
      begin();
    });
}
