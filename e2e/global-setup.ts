import { startStack } from "../scripts/testing/stack.ts";
import { deliver, makeToken } from "./product.ts";
import { simulatedFleet, HOSTILE_NAME, simulateNode } from "./simulated-node.ts";

/** Starts Plumbline once for all stories and tells it the history of a small fleet. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const product = await startStack({ PLUMBLINE_LOCAL_COLLECTOR: "on" });
  try {
    const token = await makeToken(product.server);
    const nowMs = Math.floor(Date.now() / 60_000) * 60_000;
    for (const node of simulatedFleet(nowMs)) await deliver(product.server, token, simulateNode(node));
    const [hostile] = simulatedFleet(nowMs);
    if (hostile) {
      const short = { ...hostile, name: HOSTILE_NAME, fromMs: nowMs - 3_600_000 };
      await deliver(product.server, token, simulateNode(short));
    }
    process.env.PLUMBLINE_E2E_URL = product.server;
    process.env.PLUMBLINE_E2E_TOKEN = token;
    process.env.PLUMBLINE_E2E_DATABASE = product.databaseUrl();
  } catch (error) {
    await product.stop();
    throw error;
  }
  return () => product.stop();
}
