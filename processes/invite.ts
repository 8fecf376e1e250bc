import { config } from "#lib/server/config.ts";
import { defaultDataDir } from "./database.ts";
import { createOneTimeCode, ONE_TIME_PATH } from "./one-time-address.ts";

/**
 * `npm run invite`: prints the path of a new one-time address of the server that runs on this data folder. The browser that
 * opens it is let in to the pages; the server must have been given PLUMBLINE_LOCAL_SECRET.
 */
function main(): void {
  const code = createOneTimeCode(config().dataDir ?? defaultDataDir());
  process.stdout.write(`${ONE_TIME_PATH}${code}\n`);
}

main();
