/** Cookie of a browser that gave the password of a link; sent with that link alone. */
export const SHARE_COOKIE = "plumbline.share";

/** What the cookie holds, if it was sent. */
export function shareKeyIn(headers: Headers): string | undefined {
  const pairs = (headers.get("cookie") ?? "").split(";").map((each) => each.trim().split("="));
  return pairs.find(([name]) => name === SHARE_COOKIE)?.[1];
}

/** Programs that look at links in chats, mails and searches, by what they call themselves. */
const PROGRAMS =
  /bot\b|crawl|spider|slurp|preview|unfurl|embedly|iframely|facebookexternalhit|snippet|whatsapp\/|mastodon\/|pleroma|misskey|mattermost|zulip|rocket\.?chat|vkshare|curl\/|wget\/|python-|go-http-client|okhttp|node-fetch|undici|axios/i;

/** Whether a program asks, to draw a preview or an index, and not somebody who reads. A browser always names itself. */
export function isPreviewProgram(headers: Headers): boolean {
  const agent = headers.get("user-agent") ?? "";
  return agent === "" || PROGRAMS.test(agent);
}
