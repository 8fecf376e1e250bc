import { createServer } from "node:net";
import { hostname } from "node:os";

/** Whether `host` means this machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::";
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Address under which a program on this machine reaches a server that listens on `host`. */
export function addressHere(host: string, port: number): string {
  return `http://${inUrl(isWildcard(host) ? "127.0.0.1" : host)}:${port}`;
}

/** Address under which other machines reach it, as far as this machine knows its own name. */
export function addressElsewhere(host: string, port: number): string {
  return `http://${inUrl(isWildcard(host) ? hostname() : host)}:${port}`;
}

async function tryPort(host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", done);
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => done(address !== null && typeof address !== "string" ? address.port : port));
    });
  });
}

/**
 * The port to listen on: the wished one, or with `mayMove` the next free one of twenty.
 * @throws Error that says what to do.
 */
export async function choosePort(host: string, wished: number, mayMove: boolean): Promise<number> {
  for (let port = wished; port < wished + (mayMove ? 20 : 1); port += 1) {
    const result = await tryPort(host, port);
    if (typeof result === "number") return result;
    if (result.code === "EADDRNOTAVAIL" || result.code === "ENOTFOUND") {
      throw new Error(`This machine has no address ${host}: set PLUMBLINE_HOST to one of its own.`);
    }
    if (result.code === "EACCES") {
      throw new Error(`Port ${port} is reserved: set PLUMBLINE_PORT to one above 1023.`);
    }
    if (result.code !== "EADDRINUSE") throw result;
  }
  throw new Error(`Port ${wished} on ${host} is in use by another program: stop it, or set PLUMBLINE_PORT.`);
}
