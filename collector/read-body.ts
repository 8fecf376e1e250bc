import type { ClientRequest, IncomingMessage } from "node:http";

/** The body of an answer as text. A longer one ends the request with an error. */
export function readBody(
  request: ClientRequest,
  response: IncomingMessage,
  mostBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) request.destroy(new Error("the answer is too long"));
      else chunks.push(chunk);
    });
    response.on("error", reject);
    response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}
