import { test as base } from "@playwright/test";
import { askWorker, type AskedTask } from "../scripts/testing/ask-worker.ts";
import { spoilDatabase } from "../scripts/testing/spoil-database.ts";
import { awaitHydration } from "./pages/hydration.ts";
import { deliver, nodeIdOf } from "./product.ts";
import { simulateNode } from "./simulated-node.ts";
import type { SimulatedNode } from "./simulated-node.ts";

interface Story {
  /** Where the product of all stories answers, and its token. */
  product: { url: string; token: string };
  /** Id of a node of the fleet that all stories share; they only read it. */
  nodeId: (name: string) => Promise<number>;
  /** Makes a node of this story's own, with its history, and returns its id. */
  history: (node: SimulatedNode) => Promise<number>;
  /** Has the worker do a task at once instead of at its next time; resolves when it is done. */
  worker: (task: AskedTask) => Promise<void>;
  /** Changes one row of the product's database behind its back. */
  spoil: (statement: string, values: readonly unknown[]) => Promise<void>;
  /** Everything that a page complained about; a story that ends with any has failed. */
  complaints: string[];
}

/** What the server answers while its database is away, for stories that put it in a request's way. */
export function databaseAway(requestId: string) {
  return {
    status: 503,
    contentType: "application/problem+json",
    body: JSON.stringify({
      type: "about:blank",
      title: "Unavailable",
      status: 503,
      detail: "The database is away.",
      code: "unavailable",
      requestId,
    }),
  };
}

/** Stories begin with a running product and fail on any error that a page logs. */
export const test = base.extend<Story>({
  product: async ({}, provide) => {
    const url = process.env.PLUMBLINE_E2E_URL ?? "";
    const token = process.env.PLUMBLINE_E2E_TOKEN ?? "";
    await provide({ url, token });
  },
  baseURL: async ({ product }, provide) => {
    await provide(product.url);
  },
  nodeId: async ({ product }, provide) => {
    await provide((name) => nodeIdOf(product.url, name));
  },
  history: async ({ product }, provide) => {
    await provide(async (node) => {
      await deliver(product.url, product.token, simulateNode(node));
      return nodeIdOf(product.url, node.name);
    });
  },
  page: async ({ page }, provide) => {
    await provide(awaitHydration(page));
  },
  worker: async ({}, provide) => {
    await provide((task) => askWorker(process.env.PLUMBLINE_E2E_DATABASE ?? "", task));
  },
  spoil: async ({}, provide) => {
    await provide((statement, values) =>
      spoilDatabase(process.env.PLUMBLINE_E2E_DATABASE ?? "", statement, values),
    );
  },
  complaints: [
    async ({ page }, provide) => {
      const heard: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") heard.push(message.text());
      });
      page.on("pageerror", (error) => heard.push(error.message));
      await provide(heard);
      if (heard.length > 0) throw new Error(`The page complained:\n${heard.join("\n")}`);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";
