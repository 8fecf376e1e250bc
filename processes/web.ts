import cluster from "node:cluster";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import next from "next";
import { config } from "#lib/server/config.ts";
import { closeDatabase } from "#lib/server/data/client.ts";
import { authenticatePerson } from "#lib/server/http/authenticate-person.ts";
import { loadCollectorFiles } from "#lib/server/http/collector-files.ts";
import { ROUTES } from "#lib/server/http/route-registry.ts";
import { openApiRoute } from "#lib/server/http/routes/openapi.ts";
import { remoteWriteRoute } from "#lib/server/http/routes/prometheus.ts";
import { ingestRawRoute, ingestRoute } from "#lib/server/http/routes/snapshots.ts";
import { getRuntime } from "#lib/server/http/runtime.ts";
import { logger } from "#lib/server/log.ts";
import { endInFailure } from "./end-in-failure.ts";
import { backoffMs } from "./supervise.ts";
import { createWebServer } from "./web-server.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const drainMs = 10_000;
const log = logger("web");

/** Resolves at the first SIGTERM or SIGINT. */
async function toldToStop(): Promise<void> {
  await new Promise<void>((done) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => done());
  });
}

/** One process that answers requests. */
async function serve(): Promise<void> {
  const { host, port } = config();
  const stop = toldToStop();
  const app = next({ dev: false, dir: root, hostname: host, port });
  await app.prepare();
  const pages = app.getRequestHandler();
  const web = createWebServer({
    pages: (request, response) => pages(request, response),
    ingest: Object.fromEntries(
      [ingestRoute, ingestRawRoute, remoteWriteRoute].map((route) => [
        route.facts.path,
        (request) => route(request),
      ]),
    ),
    files: loadCollectorFiles(root),
    apiRoutes: [...ROUTES, openApiRoute.facts],
    personOf: async (headers) => authenticatePerson(headers, getRuntime()),
    onError: (error, what) => log.error({ err: error, request: what }, "a request failed"),
  });
  await listen(web.server, host, port);
  log.info(`serves on ${host}:${port}`);
  await stop;
  await web.drain(drainMs);
  await app.close();
  await closeDatabase(getRuntime().db);
}

/** A predecessor that was killed may hold the port for a moment longer. */
async function listen(
  server: ReturnType<typeof createWebServer>["server"],
  host: string,
  port: number,
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const failure = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
      server.once("error", done);
      server.listen({ host, port }, () => {
        server.off("error", done);
        done(undefined);
      });
    });
    if (failure === undefined) return;
    if (failure.code !== "EADDRINUSE" || tries >= 50) throw failure;
    await delay(200);
  }
}

/** Several processes on one port; one that dies is replaced. */
async function lead(count: number): Promise<void> {
  // Without the supervisor's leash: these end with this process by themselves, and need their channel kept open.
  cluster.setupPrimary({ execArgv: [] });
  const stop = toldToStop();
  let stopping = false;
  let failures = 0;
  const fork = (): void => {
    const startedAtMs = Date.now();
    cluster.fork().once("exit", (code, signal) => {
      if (stopping) return;
      failures = Date.now() - startedAtMs > 60_000 ? 0 : failures + 1;
      const waitMs = backoffMs(failures - 1, { firstMs: 250, longestMs: 30_000 });
      log.warn(`a web process ended (${signal ?? code}), another starts in ${waitMs} ms`);
      setTimeout(() => {
        if (!stopping) fork();
      }, waitMs);
    });
  };
  for (let each = 0; each < count; each += 1) fork();
  await stop;
  stopping = true;
  const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined);
  const gone = workers.map(async (each) => new Promise((done) => each.once("exit", done)));
  for (const each of workers) each.process.kill("SIGTERM");
  await Promise.all(gone);
}

try {
  const { webProcesses } = config();
  await (cluster.isPrimary && webProcesses > 1 ? lead(webProcesses) : serve());
  process.exit(0);
} catch (error) {
  endInFailure(log, error, "the web process cannot run");
}
