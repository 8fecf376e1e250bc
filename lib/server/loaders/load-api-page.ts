import "server-only";
import { apiPage, type ApiPage } from "#lib/server/http/api-page.ts";

let page: ApiPage | undefined;

/** The description of the API; the same for everybody, for as long as the program runs. */
export function loadApiPage(): ApiPage {
  return (page ??= apiPage());
}
