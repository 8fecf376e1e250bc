/** How often one key may act: `burst` at once, then `perSecond` on average. */
export interface RateLimit {
  burst: number;
  perSecond: number;
}

export interface RateLimiter {
  /** Takes one; 0 when allowed, else the seconds to wait. */
  take: (key: string) => number;
  /** As `take`, without taking. */
  peek: (key: string) => number;
}

/**
 * Token buckets in the memory of one process. At most `maxKeys` are kept, the longest unused forgotten first: a key
 * that is forgotten starts full again, which is what it would be after a while anyway. Several web processes each hold
 * their own, so the real limit is a multiple; it protects the server, it does not bill. `now` is epoch milliseconds.
 */
export function createRateLimiter({
  burst,
  perSecond,
  maxKeys = 10_000,
  now,
}: RateLimit & { maxKeys?: number; now: () => number }): RateLimiter {
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  const filled = (key: string) => {
    const bucket = buckets.get(key);
    const nowMs = now();
    if (bucket === undefined) return { tokens: burst, atMs: nowMs };
    const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1000;
    return { tokens: Math.min(burst, bucket.tokens + elapsedSeconds * perSecond), atMs: nowMs };
  };
  const waitSeconds = (tokens: number) => (tokens >= 1 ? 0 : (1 - tokens) / perSecond);

  return {
    peek: (key) => waitSeconds(filled(key).tokens),
    take: (key) => {
      const bucket = filled(key);
      const wait = waitSeconds(bucket.tokens);
      if (wait === 0) bucket.tokens -= 1;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxKeys) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      return wait;
    },
  };
}
