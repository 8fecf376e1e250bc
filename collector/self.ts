/** Written into each snapshot and the user agent. */
export const COLLECTOR_VERSION = "0.1.0";

/** What the collector itself costs: CPU since its start, and memory now. */
export function readSelf(): { cpuSeconds: number; rssKib: number; version: string } {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: Math.round((user + system) / 1000) / 1000,
    rssKib: Math.round(process.memoryUsage.rss() / 1024),
    version: COLLECTOR_VERSION,
  };
}
