import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { deliver, makeToken, startProduct } from "./product.ts";
import { simulatedFleet, HOSTILE_NAME, simulateNode } from "./simulated-node.ts";

/** Starts Plumbline once for all stories and tells it the history of a small fleet. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const product = await startProduct(dirname(dirname(fileURLToPath(import.meta.url))));
  try {
    const token = await makeToken(product.url);
    const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
    for (const node of simulatedFleet(nowMs)) await deliver(product.url, token, simulateNode(node));
    const [hostile] = simulatedFleet(nowMs);
    if (hostile) {
      const short = { ...hostile, name: HOSTILE_NAME, fromMs: nowMs - 3_600_000 };
      await deliver(product.url, token, simulateNode(short));
    }
    process.env.PLUMBLINE_E2E_URL = product.url;
    process.env.PLUMBLINE_E2E_TOKEN = token;
  } catch (error) {
    await product.stop();
    throw error;
  }
  return () => product.stop();
}
