import type { LogEvent } from "#lib/domain/kernel-log/log-reader.ts";
import type { Sources } from "#lib/domain/snapshot/take-source.ts";
import {
  noticeServices,
  readServiceMetrics,
  type MetricsAddress,
  type ServiceCounts,
} from "./service-metrics.ts";
import type { StartedReading } from "./started-count.ts";

/** What the kubelet and the runtime told last. */
export interface ServicesTold {
  /** Since the last call. */
  events: LogEvent[];
  counts: Record<string, number>;
  sources: Sources;
  /** Who counts containers started, best first. */
  started: StartedReading[];
}

/** Asks the kubelet and the runtime for their metrics, beside the samples. */
export interface ServiceScraper {
  /** Asks all of them once. Never rejects. */
  refresh: (stop: AbortSignal) => Promise<void>;
  told: () => ServicesTold;
}

/** Older than this an answer says nothing about now. */
const STALE_MS = 5 * 60_000;

export function createServiceScraper(
  addresses: readonly MetricsAddress[],
  { now, bootId }: { now: () => number; bootId: string },
): ServiceScraper {
  const answers = new Map<MetricsAddress, { read: ServiceCounts; atMs: number }>();
  const sources: Sources = {};
  let events: LogEvent[] = [];

  return {
    refresh: async (stop) => {
      await Promise.all(
        addresses.map(async (address) => {
          const { read, report } = await readServiceMetrics(address, stop);
          if (stop.aborted) return;
          sources[`${address.of}-metrics`] = report;
          if (read === undefined) return;
          const atMs = now();
          events.push(...noticeServices(answers.get(address)?.read, read, { atMs, bootId }));
          answers.set(address, { read, atMs });
        }),
      );
    },
    told: () => {
      const fresh = addresses.flatMap((address) => {
        const answer = answers.get(address);
        return answer === undefined || now() - answer.atMs > STALE_MS
          ? []
          : [{ ...answer.read, of: address.of }];
      });
      const told: ServicesTold = {
        events,
        counts: Object.assign({}, ...fresh.map(({ counts }) => counts)) as Record<string, number>,
        sources: { ...sources },
        started: fresh
          .toSorted((a, b) => (a.of < b.of ? -1 : 1))
          .flatMap(({ of, started }) =>
            started === undefined
              ? []
              : [{ source: of, count: started.count, detail: `${started.by} of the ${of}` }],
          ),
      };
      events = [];
      return told;
    },
  };
}
